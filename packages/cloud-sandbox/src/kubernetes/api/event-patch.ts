import { jsonPatch } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { strategicMergePatch } from '../patch/strategic.ts';
import { unsupportedPatchType } from './errors.ts';
import { parsePatch, patchTypes } from './patch-body.ts';
import type { ApiRequest } from './request.ts';

/** An event of events.k8s.io/v1 after a patch of that form, without server-side apply. Throws 400, 415, 422. */
export function patchedEvent(event: object, { body = '', headers }: ApiRequest): object {
  const type = patchTypes.find((one) => one === headers['content-type']?.split(';')[0]);
  if (type === undefined) throw unsupportedPatchType();
  const patch = parsePatch(type, body);
  if (type === 'application/json-patch+json') return jsonPatch(event, patch) as object;
  if (type === 'application/merge-patch+json') return mergePatch(event, patch) as object;
  return strategicMergePatch(event, patch) as object;
}
