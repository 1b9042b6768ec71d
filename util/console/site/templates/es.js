/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// As en.js, in Spanish.

export default [
    { name: 'Respuesta de soporte', description: 'Respuestas de nuestro soporte a clientes.',
      criteria: [
          ['Responde a la pregunta',
           'Trata todo lo que ha preguntado el cliente.', 3],
          ['Respeto', 'Respetuosa, sin insultos.', 2],
          ['Gramática', 'Gramática correcta.', 1],
          ['Ortografía', 'Ortografía correcta.', 1],
          ['Longitud', 'Como máximo 120 palabras.', 1]],
      question: 'Mi paquete debía llegar el lunes. ¿Dónde está, y puedo cambiar todavía la dirección?',
      samples: [
          'Estimada señora Ruiz: Lamento que su paquete se retrase. Salió esta mañana de nuestro almacén de Burgos y le llegará mañana antes del mediodía. La dirección se puede cambiar hasta las ocho de esta tarde: responda a este mensaje con la nueva y se la daré al conductor. Un cordial saludo, Tomás',
          'Hola, su paquete está en camino. Estos retrasos pasa a veces, tenga paciencia. Saludos, Tomás',
          'Mire la página de seguimiento, que para eso esta. Solo un idiota pregunta antes de mirar.'] },
    { name: 'Carta de presentación', description: 'Cartas de candidatos.',
      criteria: [
          ['Por qué este empleo',
           'Dice por qué este empleo y esta empresa, con una razón propia.', 3],
          ['Experiencia', 'Muestra con ejemplos lo que sabe hacer el candidato.', 3],
          ['Gramática', 'Gramática correcta.', 1],
          ['Ortografía', 'Ortografía correcta.', 1],
          ['Longitud', 'Entre 60 y 350 palabras.', 1],
          ['Sin marcadores', 'Sin marcadores como [Empresa].', 1]],
      samples: [
          'Estimado señor Vega: Su panadería fue la primera de la ciudad en moler su propia harina, y compro allí el pan desde hace nueve años. Durante seis de ellos dirigí la cocina de la Posada del Puerto, donde horneaba para cien personas al día y formé a cuatro aprendices. El invierno pasado cambié el programa de los hornos por otro más lento, lo que ahorró un tercio del gas y nos dio una corteza mejor. Me gustaría hacer lo mismo en su segunda tienda. Puedo empezar en mayo. Atentamente, Ana Blanco',
          'Muy señores míos: Les escribo para solicitar el empleo. Soy muy trabajadora y siempre lo doy todo. Tengo experiencia en muchas áreas y creo que encajaría bien. En mi último empleo hice muchas tareas distintas y mi jefe estaba contento conmigo. Adjunto mis documentos y espero tener pronto noticias suyas. Atentamente, A. Blanco',
          'Estimada [Empresa], quiero este trabajo porqe necesito dinero. Llámenme.'] },
    { name: 'Texto de producto', description: 'Textos sobre productos de nuestra tienda.',
      criteria: [
          ['Lenguaje claro', 'Lenguaje claro y fácil de leer.', 2],
          ['Dice para qué sirve', 'Dice quién necesita el producto y para qué.', 3],
          ['Ortografía', 'Ortografía correcta.', 1],
          ['Longitud', 'Entre 30 y 120 palabras.', 1],
          ['Sin exclamaciones', 'Sin signos de exclamación.', 1]],
      samples: [
          'Esta pequeña lámpara se sujeta a un libro, a un estante o al borde de la cama. Da una luz cálida que cae sobre la página y no en los ojos de quien duerme al lado. Una carga dura cuarenta horas. El brazo se dobla, así que cabe en cualquier bolso. Es de acero y pesa lo que una manzana.',
          'El dispositivo facilita la iluminación en una multiplicidad de configuraciones domésticas, y su articulación regulable garantiza un posicionamiento optimizado conforme a los requisitos individuales, no obstante su peso comparativamente insignificante.',
          '¡¡¡LA MEJOR LÁMPARA!!! ¡Cómprela ya, no se arrepentira!'] },
    { name: 'Resumen de noticias', description: 'Resúmenes de artículos.',
      criteria: [
          ['Fiel al artículo',
           'Fiel a la fuente: el artículo respalda todo lo que dice.', 3],
          ['Gramática', 'Gramática correcta.', 1],
          ['Longitud', 'Como máximo 60 palabras.', 1]],
      source: 'El ayuntamiento de Arden decidió el martes cerrar el puente del Molino por obras de marzo a septiembre. Una inspección había hallado en otoño grietas en dos de sus cinco pilares. Los autobuses cruzarán el río por la calle de la Estación, lo que tarda doce minutos más. Las obras cuestan 2,1 millones de euros, de los que el Estado paga la mitad. Los comerciantes de la orilla este pidieron una pasarela provisional; el ayuntamiento decidirá en enero.',
      samples: [
          'El puente del Molino de Arden se cerrará de marzo a septiembre, porque dos de sus cinco pilares tienen grietas. Los autobuses cruzarán por la calle de la Estación, doce minutos más. Las obras cuestan 2,1 millones de euros; el Estado paga la mitad.',
          'El puente del Molino de Arden se cerrará de marzo a septiembre por obras. Los autobuses tardarán treinta minutos más. Las obras cuestan 3,4 millones de euros.',
          'El puente del Molino se hundió el martes y tres autobuses cayeron al río. El alcalde ha dimitido.'] },
    { name: 'Redacción escolar', description: 'Redacciones de alumnos.',
      criteria: [
          ['Organización', 'Bien organizada.', 2],
          ['Vocabulario', 'Un vocabulario rico.', 1],
          ['Gramática', 'Gramática correcta.', 1],
          ['Ortografía', 'Ortografía correcta.', 1],
          ['Un argumento propio',
           'Toma una posición y la defiende contra la objeción más fuerte.', 2]],
      samples: [
          'En casi todas las escuelas se discute si los móviles deben estar en clase. Creo que sí, pero solo mientras una tarea los necesite.\n\nPrimero, un móvil sustituye herramientas que nuestra escuela no tiene. En biología filmamos cómo se abre una semilla y pudimos volver a verlo despacio.\n\nSegundo, quien nunca usa el móvil para trabajar no lo aprende. Mi hermano tuvo que fotografiar y medir desde su primer día, y nadie se lo había enseñado.\n\nEs verdad que los mensajes distraen, y esa es la mejor objeción. Sin embargo, una caja junto a la puerta lo resuelve mejor que una prohibición.\n\nPor eso cada escuela debería decidir clase por clase.',
          'Los móviles en la escuela son un tema difícil. Unos dicen que sí y otros que no. Son buenos porque se pueden buscar cosas. También son malos porque la gente juega. Así que depende.',
          'me gustan los moviles porqe molan y la escuela es aburida y ningun profe puede decir nada'] },
    { name: 'Respuesta con documentos',
      description: 'Respuestas de un asistente que lee nuestros documentos.',
      criteria: [
          ['Respaldada por el documento',
           'Fiel a la fuente: el documento respalda todo lo que dice.', 3],
          ['Responde a la pregunta', 'Responde a lo que se preguntó.', 2],
          ['Admite lo que falta', 'Lo dice cuando el documento no responde.', 2],
          ['Longitud', 'Como máximo 80 palabras.', 1]],
      question: '¿Cuántos días puedo trabajar desde casa y quién paga mi silla?',
      source: 'Tras los primeros seis meses, los empleados pueden trabajar desde casa hasta dos días por semana. Los días se acuerdan con el jefe del equipo y se anotan en el calendario hasta el viernes. La empresa presta un portátil y una pantalla. Los daños se comunican en tres días.',
      samples: [
          'Tras los primeros seis meses puede trabajar desde casa hasta dos días por semana. Acuerde los días con el jefe del equipo y anótelos en el calendario hasta el viernes. El documento no dice quién paga la silla; la empresa presta un portátil y una pantalla.',
          'Puede trabajar desde casa dos días por semana.',
          'Puede trabajar desde casa todos los días desde la primera semana, y la empresa paga 400 euros por una silla y una mesa.'] },
    { name: 'Revisión de código', description: 'Comentarios de quienes revisan código.',
      criteria: [
          ['Da la razón', 'Dice por qué debería cambiarse algo.', 3],
          ['Dice qué sería mejor', 'Propone qué escribir en su lugar.', 2],
          ['Respeto', 'Respetuoso, sin insultos.', 2],
          ['Longitud', 'Como máximo 100 palabras.', 1]],
      samples: [
          'El bucle de read_all() consulta la base de datos una vez por usuario, así que una página con 200 usuarios hace 200 consultas. ¿Podrías cargarlos con una sola consulta, con WHERE id IN (…), antes del bucle? La prueba de users_test.py cubriría entonces también la lista vacía.',
          'Esto es lento, cámbialo.',
          'Qué desastre tan estúpido. ¿Lo ha escrito un idiota? Hazlo otra vez.'] },
];
