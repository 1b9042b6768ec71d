/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Media: evaluations by external workers, with keyframes, and videos on social
 * media (docs/media.md). */


#ifndef JUDGE_EXTENSION_MEDIA_H
#define JUDGE_EXTENSION_MEDIA_H


#include "work/service/extension.h"
#include "api/http/request.h"


extern const judge_route_t  judge_social_routes[];
extern const judge_route_t  judge_callback_routes[];
extern const judge_route_t  judge_work_routes[];
extern const judge_route_t  judge_keyframe_routes[];

extern const judge_extension_t  judge_extension_media;


#endif /* JUDGE_EXTENSION_MEDIA_H */
