import { isPending } from '../../shared/certificates/certificate-request.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import type { DecideFlags } from './flags.ts';
import { certificatesOf, type JudgedRequest, judgeAll, requestNamed } from './judged.ts';
import { explanation, requestJson } from './text.ts';

const types = { approve: 'Approved', deny: 'Denied' } as const;

/** Shows the reasons, and with `--yes` writes your decision to the request as it was shown. */
export async function decideByHand(
  verb: keyof typeof types,
  name: string,
  flags: DecideFlags,
  context: CliContext,
): Promise<void> {
  const certificates = await certificatesOf(flags, context);
  const judged = requestNamed(name, await judgeAll(certificates));
  const { request } = judged;
  if (!isPending(request))
    throw new CliError(
      `${name} is ${judged.verdict} already: ${oneLine(judged.reason)}. ${whatIsLeft(judged)}`,
      exitCodes.failed,
    );
  if (!flags.json) context.stdout.write(explanation(judged, context.clock.now()));
  if (!flags.yes) {
    finish(`would ${verb} ${name}: give --yes to do it`, judged, flags, context);
    return;
  }
  const type = types[verb];
  const message = `${type} with drover csr ${verb} by ${userOf(context)}; Drover's verdict was ${judged.verdict}: ${judged.reason}`;
  const outcome = await certificates.cluster.approveOrDeny(request, {
    type,
    reason: `${type}ByHand`,
    message,
  });
  if (outcome === 'changed-meanwhile')
    throw new CliError(
      `${name} was decided or changed meanwhile: drover csr explain ${name}`,
      exitCodes.failed,
    );
  finish(`${type.toLowerCase()} ${name}`, judged, flags, context);
}

/** A decision is final: the API server refuses a second one. */
const whatIsLeft = ({ verdict, nodeName = 'its node' }: JudgedRequest): string =>
  verdict === 'approved'
    ? `Kubernetes revokes no certificate: replace the instance of ${nodeName} if it must not have one`
    : 'The kubelet sends another request: drover csr list';

/** A hint for readers; the API server's audit log has the identity. */
const userOf = ({ environment }: CliContext): string =>
  environment.USER ?? environment.LOGNAME ?? 'an unknown user';

const finish = (
  text: string,
  judged: JudgedRequest,
  { json, yes }: DecideFlags,
  { stdout }: CliContext,
): void => stdout.write(json ? jsonText({ ...requestJson(judged), done: yes === true }) : `\n${text}\n`);
