import { type EC2Client, GetConsoleOutputCommand } from '@aws-sdk/client-ec2';
import { hasCode } from './errors.ts';

/**
 * What an instance has written to its serial console, at most 64 KB. Empty until EC2 has it. Only Nitro instances have the latest output;
 * of others EC2 keeps what stood there minutes after the last boot.
 */
export async function readConsoleOutput(client: EC2Client, instanceId: string): Promise<string> {
  const ask = async (Latest: boolean) =>
    await client.send(new GetConsoleOutputCommand({ InstanceId: instanceId, ...(Latest && { Latest }) }));
  const { Output = '' } = await ask(true).catch((error: unknown) => {
    if (hasCode(error, 'UnsupportedOperation')) return ask(false);
    throw error;
  });
  return Buffer.from(Output, 'base64').toString('utf8');
}
