import { stringify } from 'yaml';
import type { ApiResponse } from './request.ts';

/** As Go's encoder has it: fields by their names, lists not indented. A watch is never YAML. */
export function asYaml(response: ApiResponse): ApiResponse {
  if (response.stream !== undefined) return response;
  const body = stringify(JSON.parse(response.body), { sortMapEntries: true, indentSeq: false, lineWidth: 0 });
  return { ...response, headers: { ...response.headers, 'content-type': 'application/yaml' }, body };
}
