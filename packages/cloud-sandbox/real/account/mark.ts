/**
 * The mark of what a run makes in an account. Every resource has the tag or a name with the prefix from the call that creates it, so that
 * another machine that knows nothing of the run finds it.
 */
export const markTag = 'drover.dev/account-run';
const anyPrefix = 'drover-account-';

/** The id of a run: eight hexadecimal digits, so that names of 32 characters have room for more. */
export const isRunId = (text: string): boolean => /^[0-9a-f]{8}$/.test(text);

/** One run, or all of them. */
export interface Scope {
  readonly run?: string | undefined;
}

/** What the names of a scope begin with. A stage of Drover can be called `account`: then its names begin so, too. */
export const prefixOf = ({ run }: Scope): string => (run === undefined ? anyPrefix : `${anyPrefix}${run}-`);

/** Whether a run of the scope has given this name: the id of a run follows the prefix. A parameter's may begin with a slash, or be below /drover/CLUSTER. */
export function isNameIn({ run }: Scope, name = ''): boolean {
  const plain = name.replace(/^\/(?:drover\/)?/, (start) => (start === '/' ? '' : 'drover-'));
  const made = plain.slice(anyPrefix.length).split('-')[0] ?? '';
  return isRunId(made) && plain.startsWith(prefixOf({ run: made })) && (run === undefined || made === run);
}

interface Tagged {
  readonly Tags?:
    | readonly { readonly Key?: string | undefined; readonly Value?: string | undefined }[]
    | undefined;
}

/** Whether the tag says that a run of the scope has made it. Another value than the id of a run is not ours. */
export const isTaggedIn = ({ run }: Scope, { Tags = [] }: Tagged): boolean =>
  Tags.some(
    ({ Key, Value = '' }) => Key === markTag && isRunId(Value) && (run === undefined || Value === run),
  );

/** A filter of EC2 that has all resources of a scope, and may have others: `isTaggedIn` decides. */
export const markFilter = ({ run }: Scope): { readonly Name: string; readonly Values: string[] } =>
  run === undefined ? { Name: 'tag-key', Values: [markTag] } : { Name: `tag:${markTag}`, Values: [run] };
