<?php
// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause

// PHP: what it reads in a body (see readers.py).

function strings($value, $names)
{
    if (is_string($value)) {
        return [$value];
    }
    $all = [];
    foreach (is_array($value) ? $value : [] as $name => $part) {
        $all = array_merge($all, $names && !array_is_list($value)
                                 ? [(string) $name] : [],
                           strings($part, $names));
    }
    return $all;
}

$type = strtolower(trim(explode(';', $_SERVER['CONTENT_TYPE'] ?? '')[0]));

$names = $type === 'application/json' || str_ends_with($type, '+json');

if ($names) {
    $fields = json_decode(file_get_contents('php://input'), true);
} elseif (str_starts_with($type, 'text/')) {
    $fields = ['text' => file_get_contents('php://input')];
} else {
    $fields = $_POST;
}

foreach ($_FILES as $name => $file) {
    foreach ((array) $file['tmp_name'] as $path) {
        $fields[] = $path === '' ? '' : file_get_contents($path);
        if ($name === 'text') {
            $fields['text'] = end($fields);
        }
    }
}

header('Content-Type: application/json');
echo json_encode(['text' => strings($fields['text'] ?? null, $names),
                  'all' => strings($fields, $names)],
                 JSON_INVALID_UTF8_SUBSTITUTE);
