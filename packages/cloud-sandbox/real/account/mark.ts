/**
 * The mark of what a run makes in an account. Every resource has the tag or a name with the prefix from the call that creates it, so that
 * another machine that knows nothing of the run finds it.
 */
export const markTag = 'drover.dev/account-run';
const anyPrefix = 'drover-account-';

/** The id of a run: eight characters, so that names of 32 characters have room for more. */
export const isRunId = (text: string): boolean => /^[0-9a-z]{8}$/.test(text);

/** One run, or all of them. */
export interface Scope {
  readonly run?: string | undefined;
}

/** What the names of a scope begin with. */
export const prefixOf = ({ run }: Scope): string => (run === undefined ? anyPrefix : `${anyPrefix}${run}-`);

/** A filter of EC2 for the resources of a scope. */
export const markFilter = ({ run }: Scope): { readonly Name: string; readonly Values: string[] } =>
  run === undefined ? { Name: 'tag-key', Values: [markTag] } : { Name: `tag:${markTag}`, Values: [run] };
