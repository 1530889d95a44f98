import type { IamTokenRequest } from './abilities.ts';
import type { ExecPlugin } from './schema.ts';

/**
 * Reads the request of a plugin that only makes an IAM token: `aws eks get-token --cluster-name NAME [--region R]` or
 * `aws-iam-authenticator token -i NAME`, the two forms that AWS documents. Undefined for any other program, and for flags that
 * need more, such as another role or a profile: then the program itself must run.
 */
export function iamTokenRequestOf(plugin: ExecPlugin): IamTokenRequest | undefined {
  const args = (plugin.args ?? []).flatMap(splitEquals);
  if ((plugin.env ?? []).some(({ name }) => name !== 'AWS_STS_REGIONAL_ENDPOINTS')) return undefined;
  const command = plugin.command.split('/').at(-1);
  if (command === 'aws') return fromFlags(withoutWords(args, ['eks', 'get-token']));
  if (command === 'aws-iam-authenticator') return fromFlags(withoutWords(args, ['token']));
  return undefined;
}

const splitEquals = (arg: string): string[] => {
  const [flag = '', ...rest] = arg.split('=');
  return arg.startsWith('-') && rest.length > 0 ? [flag, rest.join('=')] : [arg];
};

/** The flags, without the words of the subcommand; undefined when one is missing. */
function withoutWords(args: readonly string[], words: readonly string[]): readonly string[] | undefined {
  const left = [...args];
  for (const word of words) {
    const index = left.indexOf(word);
    if (index === -1) return undefined;
    left.splice(index, 1);
  }
  return left;
}

const clusterFlags = ['--cluster-name', '--cluster-id', '-i'];

function fromFlags(args: readonly string[] | undefined): IamTokenRequest | undefined {
  if (args === undefined || args.length % 2 === 1) return undefined;
  let clusterId: string | undefined;
  let region: string | undefined;
  for (let index = 0; index < args.length; index += 2) {
    const [flag = '', value = ''] = args.slice(index, index + 2);
    if (clusterFlags.includes(flag)) clusterId = value;
    else if (flag === '--region') region = value;
    else if (flag !== '--output') return undefined;
  }
  return clusterId === undefined ? undefined : { clusterId, ...(region && { region }) };
}
