/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// As en.js, in Portuguese.

export default [
    { name: 'Resposta de suporte', description: 'Respostas do nosso suporte a clientes.',
      criteria: [
          ['Responde à pergunta',
           'Trata tudo o que o cliente perguntou.', 3],
          ['Respeito', 'Respeitosa, sem insultos.', 2],
          ['Gramática', 'Gramática correta.', 1],
          ['Ortografia', 'Ortografia correta.', 1],
          ['Comprimento', 'No máximo 120 palavras.', 1]],
      question: 'A minha encomenda devia chegar na segunda-feira. Onde está, e ainda posso mudar o endereço?',
      samples: [
          'Cara senhora Rocha, lamento o atraso da sua encomenda. Saiu esta manhã do nosso armazém de Braga e chegará amanhã antes do meio-dia. O endereço pode ser mudado até às oito horas desta noite: responda a esta mensagem com o novo, e eu o darei ao motorista. Com os melhores cumprimentos, Tomás',
          'Olá, a sua encomenda está a caminho. Estes atrasos acontece às vezes, tenha paciência. Tomás',
          'Leia a página de seguimento, é para isso que serve. Só um idiota pergunta antes de ver.'] },
    { name: 'Carta de apresentação', description: 'Cartas de candidatos.',
      criteria: [
          ['Porquê este emprego',
           'Diz porquê este emprego e esta empresa, com uma razão própria.', 3],
          ['Experiência', 'Mostra com exemplos o que o candidato sabe fazer.', 3],
          ['Gramática', 'Gramática correta.', 1],
          ['Ortografia', 'Ortografia correta.', 1],
          ['Comprimento', 'Entre 60 e 350 palavras.', 1],
          ['Sem marcadores', 'Sem marcadores como [Empresa].', 1]],
      samples: [
          'Caro senhor Veiga, a sua padaria foi a primeira da cidade a moer a própria farinha, e compro lá o pão há nove anos. Durante seis deles dirigi a cozinha da Pousada do Porto, onde cozia para cem pessoas por dia e formei quatro aprendizes. No inverno passado mudei os fornos para um programa mais lento, o que poupou um terço do gás e deu uma crosta melhor. Gostaria de fazer o mesmo na sua segunda loja. Posso começar em maio. Atenciosamente, Ana Branco',
          'Exmos. Senhores, escrevo para me candidatar ao emprego. Sou trabalhadora e dou sempre tudo. Tenho experiência em muitas áreas e acho que me integraria bem. No meu último emprego fiz muitas tarefas diferentes e o meu chefe estava contente comigo. Seguem os meus documentos. Atenciosamente, A. Branco',
          'Cara [Empresa], quero este trabalho porqe preciso de dinheiro. Liguem-me.'] },
    { name: 'Texto de produto', description: 'Textos sobre produtos da nossa loja.',
      criteria: [
          ['Linguagem clara', 'Linguagem clara e fácil de ler.', 2],
          ['Diz para que serve', 'Diz quem precisa do produto e para quê.', 3],
          ['Ortografia', 'Ortografia correta.', 1],
          ['Comprimento', 'Entre 30 e 120 palavras.', 1],
          ['Sem exclamações', 'Sem pontos de exclamação.', 1]],
      samples: [
          'Este pequeno candeeiro prende-se a um livro, a uma prateleira ou à beira da cama. Dá uma luz quente que cai sobre a página e não nos olhos de quem dorme ao lado. Uma carga dura quarenta horas. O braço dobra-se, e por isso cabe em qualquer saco. É de aço e pesa tanto como uma maçã.',
          'O dispositivo facilita a iluminação numa multiplicidade de configurações domésticas, e a sua articulação ajustável garante um posicionamento otimizado em conformidade com os requisitos individuais, não obstante o seu peso comparativamente insignificante.',
          'O MELHOR CANDEEIRO!!! Compre já, não se vai arepender!'] },
    { name: 'Resumo de notícias', description: 'Resumos de artigos.',
      criteria: [
          ['Fiel ao artigo',
           'Fiel à fonte: o artigo confirma tudo o que é dito.', 3],
          ['Gramática', 'Gramática correta.', 1],
          ['Comprimento', 'No máximo 60 palavras.', 1]],
      source: 'A câmara de Arden decidiu na terça-feira fechar a ponte do Moinho para obras de março a setembro. Uma inspeção tinha encontrado no outono fendas em dois dos seus cinco pilares. Os autocarros atravessarão o rio pela rua da Estação, o que demora mais doze minutos. As obras custam 2,1 milhões de euros, dos quais o Estado paga metade. Os comerciantes da margem leste pediram uma passagem provisória; a câmara decidirá em janeiro.',
      samples: [
          'A ponte do Moinho em Arden fechará de março a setembro, porque dois dos seus cinco pilares têm fendas. Os autocarros passarão pela rua da Estação, mais doze minutos. As obras custam 2,1 milhões de euros, dos quais o Estado paga metade.',
          'A ponte do Moinho em Arden fechará de março a setembro para obras. Os autocarros demorarão mais trinta minutos. As obras custam 3,4 milhões de euros.',
          'A ponte do Moinho caiu na terça-feira e três autocarros caíram ao rio. O presidente demitiu-se.'] },
    { name: 'Redação escolar', description: 'Redações de alunos.',
      criteria: [
          ['Organização', 'Bem organizada.', 2],
          ['Vocabulário', 'Um vocabulário rico.', 1],
          ['Gramática', 'Gramática correta.', 1],
          ['Ortografia', 'Ortografia correta.', 1],
          ['Um argumento próprio',
           'Toma uma posição e defende-a contra a objeção mais forte.', 2]],
      samples: [
          'Na maioria das escolas discute-se se os telemóveis devem estar na sala de aula. Acho que sim, mas só enquanto uma tarefa precisar deles.\n\nPrimeiro, um telemóvel substitui ferramentas que a nossa escola não tem. Em biologia filmámos uma semente a abrir e pudemos vê-la outra vez, devagar.\n\nSegundo, quem nunca o usa para trabalhar não aprende a fazê-lo. O meu irmão teve de fotografar e medir desde o primeiro dia, e ninguém lho tinha ensinado.\n\nÉ verdade que as mensagens distraem, e essa é a melhor objeção. No entanto, uma caixa junto à porta resolve isso melhor do que uma proibição.\n\nPor isso cada escola devia decidir aula a aula.',
          'Os telemóveis na escola são um tema difícil. Uns dizem que sim e outros que não. São bons porque se podem procurar coisas. Também são maus porque as pessoas jogam. Por isso depende.',
          'gosto de telemoveis porqe sao fixes e a escola e xata e nenhum professor pode dizer nada'] },
    { name: 'Resposta com documentos',
      description: 'Respostas de um assistente que lê os nossos documentos.',
      criteria: [
          ['Confirmada pelo documento',
           'Fiel à fonte: o documento confirma tudo o que é dito.', 3],
          ['Responde à pergunta', 'Responde ao que foi perguntado.', 2],
          ['Admite o que falta', 'Diz quando o documento não responde.', 2],
          ['Comprimento', 'No máximo 80 palavras.', 1]],
      question: 'Quantos dias posso trabalhar em casa, e quem paga a minha cadeira?',
      source: 'Após os primeiros seis meses, os empregados podem trabalhar em casa até dois dias por semana. Os dias são combinados com o chefe da equipa e escritos no calendário até sexta-feira. A empresa empresta um portátil e um ecrã. Os danos são comunicados em três dias.',
      samples: [
          'Após os primeiros seis meses pode trabalhar em casa até dois dias por semana. Combine os dias com o chefe da equipa e escreva-os no calendário até sexta-feira. O documento não diz quem paga a cadeira; a empresa empresta um portátil e um ecrã.',
          'Pode trabalhar em casa dois dias por semana.',
          'Pode trabalhar em casa todos os dias desde a primeira semana, e a empresa paga 400 euros por uma cadeira e uma mesa.'] },
    { name: 'Revisão de código', description: 'Comentários de quem revê código.',
      criteria: [
          ['Dá a razão', 'Diz porque algo devia mudar.', 3],
          ['Diz o que seria melhor', 'Propõe o que escrever em seu lugar.', 2],
          ['Respeito', 'Respeitoso, sem insultos.', 2],
          ['Comprimento', 'No máximo 100 palavras.', 1]],
      samples: [
          'O ciclo de read_all() consulta a base de dados uma vez por utilizador, por isso uma página com 200 utilizadores faz 200 consultas. Podias carregá-los com uma só consulta, com WHERE id IN (…), antes do ciclo? O teste de users_test.py cobriria então também a lista vazia.',
          'Isto é lento, muda-o.',
          'Que confusão estúpida. Foi um idiota que escreveu isto? Faz outra vez.'] },
];
