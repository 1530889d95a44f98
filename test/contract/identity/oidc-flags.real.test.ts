import { spawnSync } from 'node:child_process';
import { kubernetes, program } from '@drover/cloud-sandbox/real/programs.ts';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { readOidcFlags } from '../../../shared/identity/web-identity/oidc-flags.ts';

const behaviour =
  'Values of --oidc-* flags are those that the API server takes, with their spaces, commas, underscores and order';
const claim = { area: 'Web identity tokens', behaviour, world: 'kube-apiserver 1.34.4' };

/** The values that the API server takes, as it prints them before it misses other flags and ends. */
function takenFrom(words: readonly string[]): Readonly<Record<string, string>> {
  const { stderr } = spawnSync(program(kubernetes, 'kube-apiserver'), ['-v=1', ...words], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  const flags = [...stderr.matchAll(/FLAG: --(oidc-[a-z-]+)=(".*")$/gm)];
  return Object.fromEntries(flags.map(([, name = '', value = '""']) => [name, JSON.parse(value)]));
}

/** What Drover takes from a file, in the same form: the API server sorts claims by their name. */
function readFrom(text: string): Readonly<Record<string, string>> {
  const reading = readOidcFlags(text);
  if (reading.kind !== 'oidc') throw new Error(JSON.stringify(reading));
  const { issuer, claimMappings, claimValidationRules = [] } = reading.authenticator;
  const rules = new Map(claimValidationRules.map((rule) => [rule.claim, rule.requiredValue]));
  return {
    'oidc-issuer-url': issuer?.url ?? '',
    'oidc-client-id': issuer?.audiences?.[0] ?? '',
    'oidc-username-claim': claimMappings?.username?.claim ?? '',
    'oidc-username-prefix': claimMappings?.username?.prefix ?? '',
    'oidc-groups-claim': claimMappings?.groups?.claim ?? '',
    'oidc-groups-prefix': claimMappings?.groups?.prefix ?? '',
    'oidc-required-claim': [...rules]
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join(','),
    'oidc-ca-file': reading.certificateAuthorityFile ?? '',
  };
}

const needed = ['--oidc-issuer-url=https://a.example.com', '--oidc-client-id', 'my client'];
const lines: readonly (readonly string[])[] = [
  [
    ...needed,
    '--oidc-username-prefix=team a: ',
    '--oidc-groups-claim=groups',
    '--oidc-groups-prefix',
    "it's: ",
  ],
  [...needed, '--oidc-username-prefix=x:', '--oidc-required-claim=hd=example.com,team=a b'],
  [
    ...needed,
    '--oidc_username_prefix=x#y:',
    '--oidc-required-claim= hd = a=b ',
    '--oidc_required_claim=hd=last',
  ],
  [
    ...needed,
    '--oidc-username-prefix=old:',
    '--oidc-username-prefix',
    'new "quoted" \\:',
    '--oidc-ca-file=/a b/ca.crt',
  ],
  ['--oidc-client-id=first', ...needed, '--oidc-username-claim=e-mail address', '--oidc-username-prefix= '],
];

describe.skipIf(kubernetes.missing !== undefined)('the flag parser of a real API server', () => {
  test(behaviour, { meta: { claim } }, () => {
    for (const words of lines) {
      const taken = takenFrom(words);
      const forms = [
        stringify({ spec: { containers: [{ command: ['kube-apiserver'], args: words }] } }),
        stringify({ command: ['sh', '-c', `exec kube-apiserver ${words.map(shellWord).join(' ')}`] }),
        `ExecStart=kube-apiserver ${words.map(shellWord).join(' \\\n  ')}\nRestart=always\n`,
      ];
      for (const text of forms) expect(taken, text).toMatchObject(readFrom(text));
    }
  });
});
