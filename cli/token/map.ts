import { readCallerArn } from '../../shared/identity/arn.ts';
import { findMatch } from '../../shared/identity/mapping.ts';
import { parseDocuments } from '../../shared/identity/parse-mapping.ts';
import { readMapping } from '../../shared/identity/read-mapping.ts';
import type { Identity } from '../../shared/identity/sts-answer.ts';
import { userOf } from '../../shared/identity/user.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';

export interface MapFlags {
  readonly config: string;
  readonly configmap?: true;
  readonly json?: true;
}

/** Prints the user and the groups that the mapping gives to an ARN. Warns of each entry that it leaves out. */
export async function mapArn(
  arn: string,
  { config, configmap, json }: MapFlags,
  context: CliContext,
): Promise<void> {
  const identity = identityOf(arn);
  const text = await context.readFile(config).catch((cause: unknown) => {
    throw new CliError(`${config} cannot be read`, exitCodes.failed, cause);
  });
  const { documents, problems: unread } = parseDocuments(text);
  const { mapping, problems } = readMapping(documents, configmap ? 'nodes-at-most' : 'all');
  for (const problem of [...unread, ...problems]) context.stderr.write(`warning: ${oneLine(problem)}\n`);
  const said = wordsFor(identity, mapping);
  context.stdout.write(json ? jsonText(said.json) : said.text);
}

function wordsFor(identity: Identity, mapping: Parameters<typeof findMatch>[1][number]) {
  const verdict = userOf({ identity, sources: [mapping] });
  if (verdict.kind === 'unmapped') throw new CliError(`${identity.arn}: ${verdict.reason}`, exitCodes.failed);
  if (verdict.kind === 'needs-instance') {
    const { entry: { username, groups } = { username: '', groups: [] }, place = '' } =
      findMatch(identity, [mapping]) ?? {};
    const { instanceId } = verdict;
    return {
      json: { username, groups, place, needsInstance: instanceId },
      text: `${oneLine(username)} in ${groupsText(groups)}, by ${oneLine(place)}: if instance ${instanceId} runs with that role\n`,
    };
  }
  const { user, place } = verdict;
  const { username, groups } = user;
  return {
    json: { username, groups, place },
    text: `${oneLine(username)} in ${groupsText(groups)}, by ${oneLine(place)}\n`,
  };
}

const groupsText = (groups: readonly string[]): string =>
  groups.length === 0 ? 'no groups' : groups.map(oneLine).join(', ');

/** @throws CliError if the text is not the ARN of a user, a role or a session. */
function identityOf(arn: string): Identity {
  const caller = readCallerArn(arn);
  if (caller === undefined)
    throw new CliError(
      `${oneLine(arn)} is not the ARN of a user, a role or a session of a role`,
      exitCodes.usage,
    );
  const { accountId, canonicalArn, sessionName = '' } = caller;
  return { arn, canonicalArn, accountId, principalId: '', sessionName, accessKeyId: '' };
}
