import { DescribeInstanceAttributeCommand } from '@aws-sdk/client-ec2';
import { ec2Client } from '../../../shared/aws/clients.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import type { ClusterFlags } from '../../cluster-flags.ts';
import type { CliContext } from '../../context.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { findInstance } from '../../find-node/find-instance.ts';
import { environmentOf, hostOf } from '../../host.ts';
import { jsonText } from '../../json-text.ts';
import { explain } from './explain.ts';
import { explanationText } from './text.ts';

export interface ExplainFlags extends ClusterFlags {
  readonly region?: string;
  readonly filename?: string;
  readonly json?: true;
}

/** More than any document of AWS has around 16 KB of user data. */
const longestFile = 256 * 1024;

/** Explains the user data of an instance, or of a file. */
export async function printExplanation(
  instance: string | undefined,
  flags: ExplainFlags,
  context: CliContext,
): Promise<void> {
  const explanation = explain(await userDataOf(instance, flags, context));
  const { stdout } = context;
  stdout.write(flags.json ? jsonText(explanation) : explanationText(explanation, stdout));
}

async function userDataOf(
  instance: string | undefined,
  flags: ExplainFlags,
  context: CliContext,
): Promise<string> {
  if ((instance === undefined) === (flags.filename === undefined))
    throw new CliError('give an instance, or a file with -f', exitCodes.usage);
  if (flags.filename !== undefined) return await fileText(flags.filename, context);
  const instanceId = await findInstance(instance ?? '', flags, context);
  const client = ec2Client(awsConnection(hostOf(context, environmentOf(flags, context))));
  const { UserData } = await client.send(
    new DescribeInstanceAttributeCommand({ InstanceId: instanceId, Attribute: 'userData' }),
  );
  return UserData?.Value ?? '';
}

async function fileText(path: string, context: CliContext): Promise<string> {
  const text =
    path === '-'
      ? await standardInput(context)
      : await context.readFile(path).catch((cause: unknown) => {
          throw new CliError(`the file ${path} cannot be read`, exitCodes.usage, cause);
        });
  if (text.length > longestFile)
    throw new CliError(
      `${path} has more than ${longestFile / 1024} KB: that is not user data`,
      exitCodes.usage,
    );
  return text;
}

async function standardInput({ inputLines }: CliContext): Promise<string> {
  if (inputLines === undefined) throw new CliError('there is no standard input', exitCodes.usage);
  const lines: string[] = [];
  let length = 0;
  for await (const line of inputLines()) {
    length += line.length + 1;
    lines.push(line);
    if (length > longestFile) break;
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
