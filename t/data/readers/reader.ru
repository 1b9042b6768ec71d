# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Rack: what it reads in a body (see readers.py).

require 'json'

def strings(value, names)
  case value
  when String then [value.dup.force_encoding('UTF-8').scrub]
  when Array then value.flat_map { |v| strings(v, names) }
  when Hash
    return [value[:tempfile].read.force_encoding('UTF-8').scrub] \
      if value[:tempfile]

    value.flat_map { |k, v| [*(names ? k.to_s : nil), *strings(v, names)] }
  else []
  end
end

run lambda { |env|
  request = Rack::Request.new(env)
  type = request.media_type.to_s
  names = type == 'application/json' || type.end_with?('+json')
  fields = if names
             JSON.parse(request.body.read)
           elsif type.start_with?('text/')
             { 'text' => request.body.read }
           else
             request.POST
           end
  text = fields.is_a?(Hash) ? fields['text'] : nil
  [200, { 'Content-Type' => 'application/json' },
   [JSON.generate('text' => strings(text, names),
                  'all' => strings(fields, names))]]
}
