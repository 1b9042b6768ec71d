/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Which language a text is in; short and mixed ones are not guessed. */


#include <stdlib.h>
#include <string.h>

#include "analysis/text/language.h"
#include "tap.h"


static judge_arena_t  *arena;


static const char *
language(const char *text)
{
    judge_text_t  t;

    if (judge_text_parse(&t, arena, judge_str_c(text)) != JUDGE_OK) {
        abort();
    }

    return judge_language_code(t.language);
}


static void
test_detected(void)
{
    size_t  i;
    static const struct {
        const char  *code, *text;
    } rows[] = {
        { "en", "The children went home because it was raining hard." },
        { "de", "Die Kinder gingen nach Hause, weil es stark regnete." },
        { "es", "Los niños volvieron a casa porque llovía muchísimo." },
        { "fr", "Les enfants sont rentrés parce qu'il pleuvait fort." },
        { "pt", "As crianças não foram para casa porque estava a chover." },
        { "it", "I bambini sono tornati a casa perché pioveva forte." },
        { "nl", "De kinderen gingen naar huis omdat het hard regende." },
        { "pl", "Dzieci wróciły do domu, ponieważ mocno padało." },
        { "ru", "Дети пошли домой, потому что шёл сильный дождь." },
        { "el", "Τα παιδιά πήγαν σπίτι επειδή έβρεχε πολύ." },
        { "ar", "ذهب الأطفال إلى البيت لأن المطر كان غزيرا في المدينة." },
        { "he", "הילדים הלכו הביתה כי ירד גשם חזק." },
        { "hi", "बच्चे घर गए क्योंकि बहुत तेज़ बारिश हो रही थी।" },
        { "zh", "孩子们回家了，因为雨下得很大。" },
        { "ja", "雨がひどかったので、子供たちは家に帰りました。" },
        { "ko", "비가 많이 와서 아이들은 집으로 돌아갔습니다." },
        { "es", "Le informamos de que su pedido ha sido enviado." },
        { "es", "Envíenos una copia escaneada de su DNI." },
        { "pt", "Quando chega a minha encomenda? Preciso dela já!" },
        { "fr", "Quand mon colis arrivera-t-il ? J'en ai besoin !" },
        { "de", "Er sagte: „Ich komme morgen.“" },
        { "en", "Return it within thirty days." },
        { "unknown", "" },
        { "unknown", "12 + 34 = 46" },
        { "unknown", "Ja" },
        { "unknown", "Subway collapse caught on camera" },
        { "unknown", "asdf qwer zxcv hjkl asdkjf qwoeiru zmxcnv" },
        { "unknown", "int main(void) { return printf(\"hello\"); }" },
        { "unknown", "\xff\xfe\xfd\xfc" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_str(judge_str_c(language(rows[i].text)), rows[i].code, "%s",
                 rows[i].text);
    }
}


static void
test_codes(void)
{
    uint8_t  german;

    german = judge_language_find(JUDGE_STR("de"));

    t_is_str(judge_str_c(judge_language_name(german)), "German",
             "a language has its name in English");
    t_ok(judge_language_find(JUDGE_STR("de-AT")) == german,
         "a code with a country finds its language");
    t_ok(judge_language_find(JUDGE_STR("xx")) == JUDGE_LANGUAGE_UNKNOWN,
         "a language that is not told apart is not found");
    t_ok(judge_language_find(JUDGE_STR("en")) == JUDGE_LANGUAGE_ENGLISH,
         "English is found by its code");
    t_is_str(judge_str_c(judge_language_code(255)), "unknown",
             "an index that no language has is called unknown");
}


int
main(void)
{
    arena = judge_arena_create(64 * 1024);

    test_detected();
    test_codes();

    judge_arena_destroy(arena);

    return t_done();
}
