import { type Oracle, startOracle } from '@drover/cloud-sandbox/real/oracle.ts';
import { iamAuthenticator, program } from '@drover/cloud-sandbox/real/programs.ts';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findMatch, type Mapping } from '../../../shared/identity/mapping.ts';
import { listsOf } from '../../../shared/identity/parse-mapping.ts';
import { readMapping } from '../../../shared/identity/read-mapping.ts';
import type { Identity } from '../../../shared/identity/sts-answer.ts';
import { mappedIdentity, mappingDocument } from './support/mapping-documents.ts';

const behaviour =
  '5,000 drawn ConfigMaps map an identity to the same user and groups, but for entries that Drover leaves out, and for roles with a path';

interface Said {
  readonly mapping?: { readonly Username: string; readonly Groups: readonly string[] | null };
  readonly account?: boolean;
}

interface Named {
  readonly username: string;
  readonly groups: readonly string[];
}

let oracle: Oracle;

function theirs(
  { mapping, account }: Said,
  { canonicalArn }: Pick<Identity, 'canonicalArn'>,
): Named | undefined {
  if (mapping) return { username: mapping.Username, groups: mapping.Groups ?? [] };
  return account ? { username: canonicalArn, groups: [] } : undefined;
}

interface Difference {
  readonly document: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
  readonly mapping: Mapping;
  /** Whether Drover maps the identity to a user, and the original does not. */
  readonly isLooser: boolean;
}

/** The difference in docs/identity.md that explains this one; undefined if none does. */
function reasonOf({ document, problems, mapping, isLooser }: Difference): string | undefined {
  if (mapping.roles.some(({ arn }) => /:role\/.*\//i.test(arn))) return 'a role with a path';
  if (isLooser) return undefined;
  if (problems.length > 0) return 'an entry that Drover leaves out';
  return /username: (?:yes|0123|1_000)\b/.test(`${document['mapRoles']}${document['mapUsers']}`)
    ? 'a username that YAML 1.1 reads as something else'
    : undefined;
}

describe.skipIf(iamAuthenticator.missing !== undefined)('the mapping, beside aws-iam-authenticator', () => {
  beforeAll(() => {
    oracle = startOracle(program(iamAuthenticator, 'oracle'), ['prod', '127.0.0.1:9']);
  });
  afterAll(async () => await oracle?.stop());

  test(behaviour, {
    meta: {
      claim: { area: 'Tokens of IAM', behaviour, world: `aws-iam-authenticator ${iamAuthenticator.version}` },
    },
    timeout: 300_000,
  }, async () => {
    const counts: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(mappingDocument, mappedIdentity, async (document, part) => {
        const { documents, problems: unread } = listsOf(document);
        const { mapping, problems } = readMapping(documents, 'all');
        const identity = { ...part, arn: '', principalId: '', sessionName: '', accessKeyId: '' };
        const entry = findMatch(identity, [mapping])?.entry;
        const own = entry && { username: entry.username, groups: entry.groups };
        const question = { data: document, arn: part.canonicalArn, accountId: part.accountId };
        const other = theirs((await oracle.ask(question)) as Said, part);
        const isSame = JSON.stringify(own) === JSON.stringify(other);
        const reason = isSame
          ? `same, ${own ? 'mapped' : 'unmapped'}`
          : reasonOf({
              document,
              mapping,
              problems: [...unread, ...problems],
              isLooser: own !== undefined && other === undefined,
            });
        expect(reason, JSON.stringify({ document, part, own, other })).toBeDefined();
        counts[reason ?? ''] = (counts[reason ?? ''] ?? 0) + 1;
      }),
      { numRuns: 5000, seed: 268 },
    );
    expect(counts['same, mapped']).toBeGreaterThan(500);
    expect(counts['same, unmapped']).toBeGreaterThan(500);
  });
});
