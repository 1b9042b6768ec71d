/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// As en.js, in French.

export default [
    { name: 'Réponse du support', description: 'Réponses de notre support aux clients.',
      criteria: [
          ['Répond à la question',
           'Traite tout ce que le client a demandé.', 3],
          ['Respect', 'Respectueuse, sans insultes.', 2],
          ['Grammaire', 'Grammaire correcte.', 1],
          ['Orthographe', 'Orthographe correcte.', 1],
          ['Longueur', 'Au plus 120 mots.', 1]],
      question: 'Mon colis devait arriver lundi. Où est-il, et puis-je encore changer l’adresse ?',
      samples: [
          'Chère Madame Leroy, je suis désolé du retard de votre colis. Il a quitté notre dépôt de Lyon ce matin et vous parviendra demain avant midi. L’adresse peut être changée jusqu’à huit heures ce soir : répondez à ce message avec la nouvelle, et je la transmettrai au chauffeur. Cordialement, Thomas',
          'Bonjour, votre colis est en route. Ces retards arrive parfois, soyez patiente. Thomas',
          'Lisez la page de suivi, elle est la pour ça. Seul un idiot demande avant de regarder.'] },
    { name: 'Lettre de motivation', description: 'Lettres de candidats.',
      criteria: [
          ['Pourquoi ce poste',
           'Dit pourquoi ce poste et cet employeur, avec une raison personnelle.', 3],
          ['Expérience', 'Montre par des exemples ce que le candidat sait faire.', 3],
          ['Grammaire', 'Grammaire correcte.', 1],
          ['Orthographe', 'Orthographe correcte.', 1],
          ['Longueur', 'Entre 60 et 350 mots.', 1],
          ['Sans texte à remplacer', 'Sans texte à remplacer comme [Entreprise].', 1]],
      samples: [
          'Cher Monsieur Okafor, votre boulangerie a été la première de la ville à moudre sa propre farine, et j’y achète mon pain depuis neuf ans. Pendant six d’entre eux, j’ai dirigé la cuisine de l’Auberge du Port, où je cuisais pour cent personnes par jour et où j’ai formé quatre apprentis. L’hiver dernier, j’ai réglé nos fours sur un programme plus lent, ce qui a économisé un tiers du gaz et donné une meilleure croûte. J’aimerais faire de même dans votre second magasin. Je peux commencer en mai. Bien à vous, Anne Blanc',
          'Madame, Monsieur, je vous écris pour postuler. Je suis travailleuse et je donne toujours tout. J’ai de l’expérience dans de nombreux domaines et je pense que je m’intégrerais bien. Dans mon dernier poste, j’ai fait beaucoup de tâches différentes et mon chef était content de moi. Vous trouverez mes documents ci-joints. A. Blanc',
          'Chère [Entreprise], je veu ce travail parce que j’ai besoin d’argent. Appelez-moi.'] },
    { name: 'Texte de produit', description: 'Textes sur les produits de notre boutique.',
      criteria: [
          ['Langage clair', 'Langage clair et facile à lire.', 2],
          ['Dit à quoi cela sert', 'Dit qui a besoin du produit, et pour quoi.', 3],
          ['Orthographe', 'Orthographe correcte.', 1],
          ['Longueur', 'Entre 30 et 120 mots.', 1],
          ['Sans points d’exclamation', 'Sans points d’exclamation.', 1]],
      samples: [
          'Cette petite lampe se fixe à un livre, à une étagère ou au bord du lit. Elle donne une lumière chaude qui tombe sur la page et non dans les yeux de qui dort à côté. Une charge dure quarante heures. Le bras se plie, et la lampe entre dans un sac. Elle est en acier et pèse autant qu’une pomme.',
          'Le dispositif facilite l’illumination dans une multiplicité de configurations domestiques, et son articulation ajustable garantit un positionnement optimisé conformément aux exigences individuelles, nonobstant son poids comparativement négligeable.',
          'LA MEILLEURE LAMPE !!! Achetez-la, vous ne le regreterez pas !'] },
    { name: 'Résumé d’actualité', description: 'Résumés d’articles.',
      criteria: [
          ['Fidèle à l’article',
           'Fidèle à la source : l’article confirme tout ce qui est dit.', 3],
          ['Grammaire', 'Grammaire correcte.', 1],
          ['Longueur', 'Au plus 60 mots.', 1]],
      source: 'Le conseil municipal d’Arden a voté mardi la fermeture du pont du Moulin pour travaux de mars à septembre. Une inspection avait trouvé à l’automne des fissures dans deux de ses cinq piliers. Les bus traverseront la rivière par la rue de la Gare, ce qui prend douze minutes de plus. Les travaux coûtent 2,1 millions d’euros, dont l’État paie la moitié. Les commerçants de la rive est avaient demandé une passerelle provisoire ; le conseil en décidera en janvier.',
      samples: [
          'Le pont du Moulin à Arden sera fermé de mars à septembre, car deux de ses cinq piliers sont fissurés. Les bus passeront par la rue de la Gare, douze minutes de plus. Les travaux coûtent 2,1 millions d’euros, dont l’État paie la moitié.',
          'Le pont du Moulin à Arden sera fermé de mars à septembre pour travaux. Les bus mettront trente minutes de plus. Les travaux coûtent 3,4 millions d’euros.',
          'Le pont du Moulin s’est effondré mardi et trois bus sont tombés dans la rivière. Le maire a démissionné.'] },
    { name: 'Rédaction scolaire', description: 'Rédactions d’élèves.',
      criteria: [
          ['Organisation', 'Bien organisée.', 2],
          ['Vocabulaire', 'Un vocabulaire riche.', 1],
          ['Grammaire', 'Grammaire correcte.', 1],
          ['Orthographe', 'Orthographe correcte.', 1],
          ['Un argument personnel',
           'Prend position et la défend contre l’objection la plus forte.', 2]],
      samples: [
          'Dans la plupart des écoles, on discute de la place des téléphones en classe. Je pense qu’ils y ont leur place, mais seulement tant qu’un exercice l’exige.\n\nD’abord, un téléphone remplace des outils que notre école n’a pas. En biologie, nous avons filmé une graine qui s’ouvre et avons pu la revoir lentement.\n\nEnsuite, qui ne s’en sert jamais pour travailler ne l’apprend pas. Mon frère a dû photographier et mesurer dès son premier jour, et personne ne le lui avait appris.\n\nIl est vrai que les messages distraient, et c’est la meilleure objection. Cependant, une boîte près de la porte y répond mieux qu’une interdiction.\n\nC’est pourquoi chaque école devrait décider cours par cours.',
          'Les téléphones à l’école sont un sujet difficile. Certains disent oui et d’autres non. Ils sont bons car on peut chercher des choses. Ils sont aussi mauvais car on joue. Donc cela dépend.',
          'jaime les telephones parce que cest cool et lecole est enuyeuse et aucun prof peut rien dire'] },
    { name: 'Réponse d’après des documents',
      description: 'Réponses d’un assistant qui lit nos documents.',
      criteria: [
          ['Confirmée par le document',
           'Fidèle à la source : le document confirme tout ce qui est dit.', 3],
          ['Répond à la question', 'Répond à ce qui a été demandé.', 2],
          ['Admet ce qui manque', 'Le dit lorsque le document ne répond pas.', 2],
          ['Longueur', 'Au plus 80 mots.', 1]],
      question: 'Combien de jours puis-je travailler chez moi, et qui paie ma chaise ?',
      source: 'Après les six premiers mois, les employés peuvent travailler chez eux jusqu’à deux jours par semaine. Les jours sont convenus avec le chef d’équipe et inscrits au calendrier avant vendredi. L’entreprise prête un ordinateur et un écran. Tout dommage est signalé sous trois jours.',
      samples: [
          'Après les six premiers mois, vous pouvez travailler chez vous jusqu’à deux jours par semaine. Convenez des jours avec le chef d’équipe et inscrivez-les au calendrier avant vendredi. Le document ne dit pas qui paie la chaise ; l’entreprise prête un ordinateur et un écran.',
          'Vous pouvez travailler chez vous deux jours par semaine.',
          'Vous pouvez travailler chez vous tous les jours dès la première semaine, et l’entreprise paie 400 euros pour une chaise et un bureau.'] },
    { name: 'Revue de code', description: 'Commentaires de qui relit du code.',
      criteria: [
          ['Donne la raison', 'Dit pourquoi quelque chose devrait changer.', 3],
          ['Dit ce qui serait mieux', 'Propose quoi écrire à la place.', 2],
          ['Respect', 'Respectueux, sans insultes.', 2],
          ['Longueur', 'Au plus 100 mots.', 1]],
      samples: [
          'La boucle de read_all() interroge la base une fois par utilisateur, donc une page de 200 utilisateurs fait 200 requêtes. Pourrais-tu les charger en une seule requête, avec WHERE id IN (…), avant la boucle ? Le test de users_test.py couvrirait alors aussi la liste vide.',
          'C’est lent, change-le.',
          'Quel gâchis stupide. Un idiot a écrit ça ? Refais-le.'] },
];
