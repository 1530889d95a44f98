import { createAskSts } from '../../shared/aws/ask-sts.ts';
import { awsOverHttp } from '../../shared/aws/aws-over-http.ts';
import { endpointOf } from '../../shared/aws/client-settings.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { identify } from '../../shared/identity/authenticate.ts';
import { readToken } from '../../shared/identity/read-token.ts';
import type { StsVerdict } from '../../shared/identity/sts-answer.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonLine } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';

export interface VerifyFlags {
  readonly cluster: string;
  readonly partition: string;
  readonly stsEndpoint?: string;
  /** Commander's reading of `--no-sts`. */
  readonly sts: boolean;
  readonly json?: true;
}

/** Prints a line for each token of the standard input. */
export async function verifyTokens(flags: VerifyFlags, context: CliContext): Promise<void> {
  const verify = verifierOf(flags, context);
  let tokens = 0;
  let refused = 0;
  for await (const line of context.inputLines?.() ?? []) {
    if (line === '') continue;
    tokens += 1;
    const verdict = await verify(line);
    if (verdict.kind === 'refused' || verdict.kind === 'unavailable') refused += 1;
    context.stdout.write(flags.json ? jsonLine(toJson(verdict)) : `${oneLine(wordsOf(verdict))}\n`);
  }
  if (tokens === 0) throw new CliError('the standard input has no token', exitCodes.usage);
  if (refused > 0) throw new CliError(`${refused} of ${tokens} tokens are not accepted`, exitCodes.failed);
}

/** `well-formed`: the text passed every check, and STS was not asked (`--no-sts`). */
type Verdict = StsVerdict | { readonly kind: 'well-formed' };

function verifierOf(
  flags: VerifyFlags,
  { clock, sendHttp, environment }: CliContext,
): (token: string) => Promise<Verdict> {
  const { partition } = flags;
  if (!flags.sts)
    return async (token) => {
      const read = readToken(token, { now: clock.now(), partition });
      return read.kind === 'refused' ? read : { kind: 'well-formed' };
    };
  const endpoint = flags.stsEndpoint ?? endpointOf('STS', environment);
  const askSts = createAskSts({ requestHandler: awsOverHttp(sendHttp), clusterId: flags.cluster, endpoint });
  return async (token) => {
    try {
      return await identify({ now: () => clock.now(), partition, askSts }, token);
    } catch (error) {
      return { kind: 'unavailable', reason: `STS does not answer: ${messageOf(error)}`, isThrottled: false };
    }
  };
}

function toJson(verdict: Verdict): object {
  switch (verdict.kind) {
    case 'identity':
      return { accepted: true, identity: verdict.identity };
    case 'well-formed':
      return { accepted: true, reason: 'well-formed; STS was not asked' };
    case 'refused':
      return { accepted: false, check: verdict.check, reason: verdict.reason };
    case 'unavailable':
      return { accepted: false, check: 'unavailable', reason: verdict.reason };
  }
}

function wordsOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'identity':
      return `accepted: ${verdict.identity.arn}`;
    case 'well-formed':
      return 'well-formed: STS was not asked';
    case 'refused':
      return `refused (${verdict.check}): ${verdict.reason}`;
    case 'unavailable':
      return `unknown: ${verdict.reason}`;
  }
}
