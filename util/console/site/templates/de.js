/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// The same as in en.js, for texts in German.

export default [
    { name: 'Antwort an Kunden', description: 'Antworten des Kundendienstes.',
      criteria: [
          ['Beantwortet die Frage',
           'Geht auf alles ein, wonach der Kunde gefragt hat.', 3],
          ['Respekt', 'Respektvoll, ohne Beleidigungen.', 2],
          ['Grammatik', 'Richtige Grammatik.', 1],
          ['Rechtschreibung', 'Richtige Rechtschreibung.', 1],
          ['Länge', 'Höchstens 120 Wörter.', 1]],
      question: 'Mein Paket sollte am Montag kommen. Wo ist es, und kann ich die Adresse noch ändern?',
      samples: [
          'Guten Tag Frau Hall, es tut mir leid, dass Ihr Paket zu spät kommt. Es hat heute früh unser Lager in Leipzig verlassen und ist morgen bis zwölf Uhr bei Ihnen. Die Adresse lässt sich bis heute Abend um acht ändern: Antworten Sie einfach mit der neuen, ich gebe sie dem Fahrer weiter. Mit freundlichen Grüßen, Tom Berger',
          'Hallo, Ihr Paket ist unterwegs. Sowas kann schonmal passieren, bitte haben Sie Geduld. Gruß, Tom',
          'Lesen sie die Sendungsverfolgung, dafür ist die da. Nur ein Idiot fragt bevor er da nachschaut.'] },
    { name: 'Bewerbung', description: 'Anschreiben von Bewerbern.',
      criteria: [
          ['Warum diese Stelle',
           'Sagt mit einem eigenen Grund, warum diese Stelle und dieser Betrieb.',
           3],
          ['Erfahrung', 'Zeigt an Beispielen, was der Bewerber kann.', 3],
          ['Grammatik', 'Richtige Grammatik.', 1],
          ['Rechtschreibung', 'Richtige Rechtschreibung.', 1],
          ['Länge', 'Zwischen 60 und 350 Wörter.', 1],
          ['Keine Platzhalter', 'Keine Platzhalter wie [Firma].', 1]],
      samples: [
          'Sehr geehrter Herr Okafor, Ihre Bäckerei hat als erste der Stadt ihr Mehl selbst gemahlen, und seit neun Jahren kaufe ich mein Brot bei Ihnen. Sechs davon habe ich die Küche im Hafenhaus geleitet, täglich für hundert Gäste gebacken und vier Lehrlinge ausgebildet. Im letzten Winter habe ich unsere Öfen auf ein langsameres Programm umgestellt: Das spart ein Drittel des Gases und gibt eine bessere Kruste. Dasselbe würde ich gern in Ihrer zweiten Filiale tun. Ich kann im Mai anfangen und backe gern vorher einen Morgen lang zur Probe. Mit freundlichen Grüßen, Anna Brandt',
          'Sehr geehrte Damen und Herren, hiermit bewerbe ich mich um die Stelle. Ich bin fleißig und teamfähig und gebe immer alles. Ich habe Erfahrung in vielen Bereichen und denke, das ich gut passe. In meiner letzten Stelle hatte ich viele verschiedene Aufgaben und mein Chef war zufrieden. Meine Unterlagen liegen bei. Ich freue mich auf Ihre Antwort. Mit freundlichen Grüßen, A. Brandt',
          'Sehr geehrte [Firma], ich will den job weil ich geld brauche. Bitte rufen sie an.'] },
    { name: 'Produkttext', description: 'Texte über Produkte in unserem Laden.',
      criteria: [
          ['Einfache Sprache', 'Einfache Sprache, leicht zu lesen.', 2],
          ['Sagt, wozu es dient', 'Sagt, wer das Produkt braucht und wozu.', 3],
          ['Rechtschreibung', 'Richtige Rechtschreibung.', 1],
          ['Länge', 'Zwischen 30 und 120 Wörter.', 1],
          ['Keine Ausrufezeichen', 'Keine Ausrufezeichen.', 1]],
      samples: [
          'Diese kleine Lampe klemmt an einem Buch, einem Regal oder am Bettrand. Ihr warmes Licht fällt auf die Seite und nicht in die Augen dessen, der neben Ihnen schläft. Eine Ladung reicht für vierzig Stunden. Der Arm lässt sich biegen, deshalb passt die Lampe flach in jede Tasche. Sie ist aus Stahl und wiegt so viel wie ein Apfel.',
          'Die Vorrichtung ermöglicht die Ausleuchtung einer Vielzahl häuslicher Konfigurationen, wobei die Verstellbarkeit der Gelenkkonstruktion eine Optimierung der Positionierung unter Berücksichtigung individueller Anforderungen gewährleistet.',
          'BESTE LAMPE ALLER ZEITEN!!! Jetz kaufen, sie werden es nicht bereuhen!'] },
    { name: 'Nachricht in Kürze', description: 'Zusammenfassungen von Artikeln.',
      criteria: [
          ['Treu zum Artikel',
           'Treu zur Quelle: Alles ist durch den Artikel belegt.', 3],
          ['Grammatik', 'Richtige Grammatik.', 1],
          ['Länge', 'Höchstens 60 Wörter.', 1]],
      source: 'Der Stadtrat von Arden hat am Dienstag beschlossen, die Mühlenbrücke von März bis September für Reparaturen zu sperren. Bei einer Prüfung im Herbst waren in zwei ihrer fünf Pfeiler Risse gefunden worden. Busse fahren in dieser Zeit über die Bahnhofstraße, was zwölf Minuten länger dauert. Die Arbeiten kosten 2,1 Millionen Euro, die Hälfte zahlt das Land. Die Händler am Ostufer hatten einen Steg für Fußgänger gewünscht; darüber entscheidet der Rat im Januar.',
      samples: [
          'Die Mühlenbrücke in Arden ist von März bis September gesperrt, weil zwei ihrer fünf Pfeiler Risse haben. Busse fahren über die Bahnhofstraße, zwölf Minuten länger. Die Arbeiten kosten 2,1 Millionen Euro, die Hälfte zahlt das Land. Über einen Steg für Fußgänger entscheidet der Rat im Januar.',
          'Die Mühlenbrücke in Arden ist von März bis September wegen Reparaturen gesperrt. Busse fahren über die Bahnhofstraße, was dreißig Minuten länger dauert. Die Arbeiten kosten 3,4 Millionen Euro.',
          'Am Dienstag ist die Mühlenbrücke eingestürzt, drei Busse fielen in den Fluss. Der Bürgermeister ist zurückgetreten, das Land zahlt keine neue Brücke.'] },
    { name: 'Schulaufsatz', description: 'Aufsätze von Schülern.',
      criteria: [
          ['Gliederung', 'Gut gegliedert.', 2],
          ['Wortschatz', 'Reicher Wortschatz.', 1],
          ['Grammatik', 'Richtige Grammatik.', 1],
          ['Rechtschreibung', 'Richtige Rechtschreibung.', 1],
          ['Eigener Standpunkt',
           'Vertritt einen Standpunkt und verteidigt ihn gegen den stärksten Einwand.',
           2]],
      samples: [
          'Ob Handys in den Unterricht gehören, wird an den meisten Schulen diskutiert. Ich meine: ja, aber nur, solange eine Aufgabe sie braucht.\n\nErstens ersetzt ein Handy Werkzeuge, die unsere Schule nicht hat. In Biologie haben wir gefilmt, wie ein Samen aufgeht, und konnten es langsam noch einmal ansehen. Das zeigt kein Buch.\n\nZweitens lernt niemand, mit dem Handy zu arbeiten, der es nie dafür benutzt. Mein Bruder hat letztes Jahr seine Lehre begonnen und sollte fotografieren, messen und senden. Beigebracht hatte ihm das niemand.\n\nNachrichten lenken ab, das ist der beste Einwand. Allerdings lenkt auch ein Bleistift ab, wenn eine Stunde langweilig ist. Eine Kiste an der Tür, in der Handys warten, bis sie gebraucht werden, löst das besser als ein Verbot.\n\nDeshalb sollten Schulen von Stunde zu Stunde entscheiden und nicht ein für alle Mal.',
          'Handys in der Schule ist ein schwieriges Thema. Manche sagen ja und manche sagen nein. Ich finde Handys gut weil man damit Sachen nachschauen kann. Aber sie sind auch schlecht weil viele spielen. Es kommt also drauf an. In meiner Schule sind sie verboten. Am Ende muss das jeder selber wissen.',
          'ich finde handis gut weil sie cool sind und schule ist langweilig also solten wir immer handis haben und kein lerer darf was sagen'] },
    { name: 'Antwort aus Dokumenten',
      description: 'Antworten eines Assistenten, der unsere Dokumente liest.',
      criteria: [
          ['Durch das Dokument belegt',
           'Treu zur Quelle: Alles ist durch sie belegt.', 3],
          ['Beantwortet die Frage', 'Beantwortet, wonach gefragt wurde.', 2],
          ['Gibt zu, was nicht dort steht',
           'Sagt es, wenn das Dokument nicht antwortet.', 2],
          ['Länge', 'Höchstens 80 Wörter.', 1]],
      question: 'Wie viele Tage darf ich zu Hause arbeiten, und wer zahlt meinen Stuhl?',
      source: 'Nach den ersten sechs Monaten dürfen Angestellte bis zu zwei Tage in der Woche zu Hause arbeiten. Die Tage werden mit der Teamleitung abgesprochen und bis Freitag in den Kalender eingetragen. Die Firma leiht einen Laptop und einen Bildschirm. Schäden sind innerhalb von drei Tagen zu melden.',
      samples: [
          'Nach den ersten sechs Monaten dürfen Sie bis zu zwei Tage in der Woche zu Hause arbeiten. Sprechen Sie die Tage mit Ihrer Teamleitung ab und tragen Sie sie bis Freitag in den Kalender ein. Wer einen Stuhl zahlt, steht nicht im Dokument; die Firma leiht einen Laptop und einen Bildschirm.',
          'Zwei Tage in der Woche.',
          'Sie dürfen vom ersten Tag an immer zu Hause arbeiten, und die Firma zahlt 400 Euro für Stuhl und Schreibtisch Ihrer Wahl.'] },
    { name: 'Code-Review', description: 'Kommentare zu Änderungen am Code.',
      criteria: [
          ['Nennt den Grund', 'Sagt, warum sich etwas ändern soll.', 3],
          ['Sagt, was besser wäre', 'Schlägt vor, was stattdessen dort steht.', 2],
          ['Respekt', 'Respektvoll, ohne Beleidigungen.', 2],
          ['Länge', 'Höchstens 100 Wörter.', 1]],
      samples: [
          'Die Schleife in read_all() fragt die Datenbank für jeden Benutzer einmal, also braucht eine Seite mit 200 Benutzern 200 Abfragen. Könntest du sie vorher in einer Abfrage mit WHERE id IN (…) laden? Der Test in users_test.py deckt dann auch die leere Liste ab.',
          'Das ist langsam, bitte ändern.',
          'Was für ein dummer Mist. Hat das ein Idiot geschrieben? Nochmal.'] },
];
