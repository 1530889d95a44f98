import type { WriteOptions } from '../registry/context.ts';
import { checkDryRun, invalidOptions } from './option-checks.ts';
import type { ResourceCall } from './resource-requests.ts';

const validations = ['', 'Ignore', 'Strict', 'Warn'];
const longestManagerBytes = 128;

/** CreateOptions, UpdateOptions, PatchOptions of the query. Throws 422 for what there is not. */
export function writeOptions({
  route: { query, verb },
  user,
  request,
  admission,
}: ResourceCall): WriteOptions {
  const kind = optionsKindOf(verb);
  const dryRun = query.getAll('dryRun');
  checkDryRun(kind, dryRun);
  checkManager(kind, query.get('fieldManager') ?? '');
  checkFieldValidation(kind, query.get('fieldValidation') ?? '');
  if (verb === 'patch') checkApply(query, request.headers['content-type'] ?? '');
  const agent = (request.headers['user-agent'] ?? 'unknown').split('/')[0] ?? '';
  return {
    dryRun: dryRun.length > 0,
    user,
    fieldManager: query.get('fieldManager') ?? agent,
    admit: (write) => admission(user, write),
  };
}

/** `create` has CreateOptions, and so on. */
function optionsKindOf(verb: string): string {
  const name = verb === 'deletecollection' ? 'delete' : verb;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Options`;
}

function checkManager(kind: string, manager: string): void {
  if (Buffer.byteLength(manager) <= longestManagerBytes) return;
  const message = `Too long: may not be more than ${longestManagerBytes} bytes`;
  throw invalidOptions(kind, { reason: 'FieldValueTooLong', message, field: 'fieldManager' });
}

function checkFieldValidation(kind: string, given: string): void {
  if (validations.includes(given)) return;
  const supported = validations.map((value) => `"${value}"`).join(', ');
  const message = `Unsupported value: "${given}": supported values: ${supported}`;
  throw invalidOptions(kind, { reason: 'FieldValueNotSupported', message, field: 'fieldValidation' });
}

/** An apply needs a field manager, and only an apply may force. */
function checkApply(query: URLSearchParams, contentType: string): void {
  const isApply = contentType.startsWith('application/apply-patch');
  if (isApply && (query.get('fieldManager') ?? '') === '') {
    const message = 'Required value: is required for apply patch';
    throw invalidOptions('PatchOptions', { reason: 'FieldValueRequired', message, field: 'fieldManager' });
  }
  if (isApply || !query.has('force')) return;
  const message = 'Forbidden: may not be specified for non-apply patch';
  throw invalidOptions('PatchOptions', { reason: 'FieldValueForbidden', message, field: 'force' });
}
