import { parseDocument } from 'yaml';
import { comparableArn } from '../../../shared/identity/arn.ts';
import { listsOf } from '../../../shared/identity/parse-mapping.ts';
import { readMapping } from '../../../shared/identity/read-mapping.ts';

export interface MappedRole {
  readonly arn: string;
  readonly username: string;
  readonly groups: readonly string[];
}

/** The roles that `mapRoles` of aws-auth maps. Pure. */
export const mappedRoles = (mapRoles: string | undefined): readonly MappedRole[] =>
  mapRoles === undefined ? [] : readMapping(listsOf({ mapRoles }).documents, 'all').mapping.roles;

/** aws-auth compares the ARN of a role without its path (EKS user guide, "aws-auth ConfigMap"). */
const withoutPath = (arn: string): string => arn.replace(/:role\/.*\//, ':role/');

type Appended =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * The text with these roles at its end. What is there is kept letter by letter, comments included: others have lost all their nodes by
 * tools that wrote this text again. Pure.
 */
export function withRoles(before: string, roles: readonly MappedRole[]): Appended {
  if (parseDocument(before).errors.length > 0)
    return { kind: 'refused', reason: 'mapRoles is not valid YAML' };
  const kept = mappedRoles(before);
  const isEmpty = before.trim() === '' || before.trim() === '[]';
  const base = isEmpty ? '' : before.endsWith('\n') ? before : `${before}\n`;
  const indent = /^( *)- /m.exec(base)?.[1] ?? '';
  const text = base + roles.map((role) => entryText(role, indent)).join('');
  const after = mappedRoles(text);
  const has = new Set(after.map(({ arn }) => comparableArn(arn)));
  // JSON, flow style and other forms cannot be appended to: read again, the result must have all of both.
  const isWhole =
    after.length === kept.length + roles.length &&
    [...kept, ...roles].every(({ arn }) => has.has(comparableArn(arn)));
  return isWhole
    ? { kind: 'text', text }
    : { kind: 'refused', reason: 'mapRoles is not a list in YAML to which an entry can be appended' };
}

const entryText = ({ arn, username, groups }: MappedRole, indent: string): string =>
  [
    `- rolearn: ${withoutPath(arn)}`,
    `  username: ${username}`,
    '  groups:',
    ...groups.map((group) => `    - ${group}`),
  ]
    .map((line) => `${indent}${line}\n`)
    .join('');
