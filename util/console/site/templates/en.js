/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Judges to begin with: criteria as [name, what it asks, weight], and three
// texts of falling quality, with what they answer or are about where the
// judge needs it.

export default [
    { name: 'Support reply', description: 'Answers of our support to customers.',
      criteria: [
          ['Answers the question',
           'Deals with everything that the customer has asked.', 3],
          ['Respect', 'Respectful, without insults.', 2],
          ['Grammar', 'Correct grammar.', 1],
          ['Spelling', 'Correct spelling.', 1],
          ['Length', 'At most 120 words.', 1]],
      question: 'My parcel was due on Monday. Where is it, and can I still change the address?',
      samples: [
          'Dear Ms Hall, I am sorry that your parcel is late. It left our depot in Leeds this morning and will reach you tomorrow before noon. The address can be changed until eight this evening: reply to this message with the new one, and I will pass it on to the driver. Kind regards, Tom',
          'Hello, your parcel is on its way. These delays happens sometimes, please have patience. Best, Tom',
          'Read the tracking page, thats what its for. Only an idiot asks us before he looks there.'] },
    { name: 'Cover letter', description: 'Cover letters of applicants.',
      criteria: [
          ['Why this job',
           'Says why this job and this employer, with a reason of its own.', 3],
          ['Experience', 'Shows by examples what the applicant can do.', 3],
          ['Grammar', 'Correct grammar.', 1],
          ['Spelling', 'Correct spelling.', 1],
          ['Length', 'Between 60 and 350 words.', 1],
          ['No placeholders', 'No placeholders such as [Company].', 1]],
      samples: [
          'Dear Mr Okafor, your bakery was the first in town to mill its own flour, and I have bought my bread there for nine years. For six of these I ran the kitchen of the Harbour Inn, where I baked for a hundred guests a day and trained four apprentices. Last winter I changed our ovens to a slower programme, which saved a third of the gas and gave us a better crust. I would like to do the same for your second shop. I can begin in May and would be glad to bake for you on any morning before. Yours sincerely, Anna Brandt',
          'Dear Sir or Madam, I am writing to apply for the job. I am a hard worker and a team player, and I always gives everything. I have experience in many areas and I think I would fit in good. In my last job I did many different tasks and my boss was happy with me. Please find my documents attached. I look forward to hearing from you soon. Yours faithfully, A. Brandt',
          'Dear [Company], i want this job becuase i need money. Please call me.'] },
    { name: 'Product text', description: 'Texts about products in our shop.',
      criteria: [
          ['Plain language', 'Plain language that is easy to read.', 2],
          ['Says what it is for', 'Says who needs the product, and for what.', 3],
          ['Spelling', 'Correct spelling.', 1],
          ['Length', 'Between 30 and 120 words.', 1],
          ['No exclamation marks', 'No exclamation marks.', 1]],
      samples: [
          'This small lamp clips onto a book, a shelf or the edge of a bed. It gives a warm light that falls on the page and not into the eyes of whoever sleeps beside you. One charge lasts for forty hours. The arm bends, so the lamp goes flat into a bag. It is made of steel and weighs as much as an apple.',
          'The device facilitates illumination in a multiplicity of domestic configurations, and its adjustable articulation ensures optimised positioning in accordance with individual requirements, notwithstanding its comparatively negligible weight.',
          'BEST LAMP EVER!!! Buy it now, you wont regret it!'] },
    { name: 'News summary', description: 'Summaries of articles.',
      criteria: [
          ['Faithful to the article',
           'Faithful to the source: everything is backed by the article.', 3],
          ['Grammar', 'Correct grammar.', 1],
          ['Length', 'At most 60 words.', 1]],
      source: 'The town council of Arden voted on Tuesday to close Mill Bridge for repairs from March to September. An inspection in autumn had found cracks in two of its five pillars. Buses will cross the river at Station Road, which takes twelve minutes longer. The repairs cost 2.1 million euros, of which the state pays half. Shop owners on the east bank had asked for a temporary footbridge; the council will decide on that in January.',
      samples: [
          'Mill Bridge in Arden will be closed from March to September, because two of its five pillars have cracks. Buses will cross at Station Road, twelve minutes longer. The repairs cost 2.1 million euros, half of it paid by the state. The council will decide on a footbridge in January.',
          'Mill Bridge in Arden will be closed from March to September for repairs. Buses will cross the river at Station Road, which takes thirty minutes longer. The repairs cost 3.4 million euros.',
          'Mill Bridge collapsed on Tuesday, and three buses fell into the river. The mayor has resigned, and the state refuses to pay for a new bridge.'] },
    { name: 'School essay', description: 'Essays of pupils.',
      criteria: [
          ['Organization', 'Well organized.', 2],
          ['Vocabulary', 'A rich vocabulary.', 1],
          ['Grammar', 'Correct grammar.', 1],
          ['Spelling', 'Correct spelling.', 1],
          ['An argument of its own',
           'Takes a position and defends it against the strongest objection.',
           2]],
      samples: [
          'Whether phones belong in a classroom is argued about in most schools. I think that they do, but only while a task needs one.\n\nFirst, a phone replaces tools that our school does not have. In biology we filmed how a seed opens, and could look at it again, slowly. No book shows that.\n\nSecond, whoever never uses a phone for work will not learn how. My brother began his training last year and was expected to photograph, measure and send. Nobody had taught him.\n\nIt is true that messages distract, and that is the best objection. However, a pencil distracts as well when a lesson is dull. A box at the door in which phones wait until they are needed solves this better than a ban.\n\nTherefore schools should decide lesson by lesson, and not once for all.',
          'Phones in school is a difficult topic. Some people say yes and some say no. I think phones are good because you can look things up. They are also bad because people play games. So it depends. In my school we are not allowed to have them. In the end everybody has to know for themself.',
          'i like phones becaus they are cool and school is boring so we shoud have phones all the time and no techer can say nothing'] },
    { name: 'Answer from documents',
      description: 'Answers of an assistant that reads our documents.',
      criteria: [
          ['Backed by the document',
           'Faithful to the source: everything is backed by it.', 3],
          ['Answers the question', 'Answers what was asked.', 2],
          ['Admits what is not there',
           'Says so where the document does not answer.', 2],
          ['Length', 'At most 80 words.', 1]],
      question: 'How many days may I work from home, and who pays for my chair?',
      source: 'Employees may work from home on up to two days a week after their first six months. The days are agreed with the head of the team and entered in the calendar by Friday. The company lends a laptop and a screen. Damage must be reported within three days.',
      samples: [
          'After your first six months you may work from home on up to two days a week. Agree on the days with the head of your team, and enter them in the calendar by Friday. The document says nothing about who pays for a chair; the company lends a laptop and a screen.',
          'You can work from home on two days a week.',
          'You may work from home every day from the first week on, and the company pays 400 euros for a chair and a desk of your choice.'] },
    { name: 'Code review', description: 'Comments of people who review code.',
      criteria: [
          ['Names the reason', 'Says why something should change.', 3],
          ['Says what would be better',
           'Proposes what to write in its place.', 2],
          ['Respect', 'Respectful, without insults.', 2],
          ['Length', 'At most 100 words.', 1]],
      samples: [
          'The loop in read_all() asks the database once for each user, so a page with 200 users takes 200 queries. Could you load them in one query with WHERE id IN (…) before the loop? The test in users_test.py would then also cover the empty list.',
          'This is slow, please change it.',
          'What a stupid mess. Did a moron write this? Do it again.'] },
];
