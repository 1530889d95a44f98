import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runDrover } from '../run-drover.ts';

export const instanceId = 'i-0123456789abcdef0';
export const domain = 'etcd.example.internal';

const curl = `
echo "$*" >>"$FAKE/curl-calls"
[[ ! -e $FAKE/no-metadata ]] || { echo 'curl: (7) no metadata' >&2; exit 7; }
case "\${!#}" in
  */latest/api/token) [[ "$*" == *'--request PUT'* ]] && echo the-token ;;
  */latest/meta-data/iam/security-credentials/) echo node ;;
  */latest/meta-data/iam/security-credentials/node) echo '{"AccessKeyId":"AKIA","SecretAccessKey":"the-secret","Token":"t"}' ;;
  https://ssm.*)
    [[ "$(cat)" == *'user = "AKIA:the-secret"'* ]] || exit 22
    name=$(sed -n 's/.*"Name":"\\([^"]*\\)".*/\\1/p' <<<"$*")
    jq -n --rawfile value "$FAKE/parameters$name" '{Parameter: {Value: $value}}' ;;
  https://s3.*)
    [[ "$(cat)" == *'user = "AKIA:the-secret"'* && "$*" == *'x-amz-content-sha256: e3b0c442'* ]] || exit 22
    cat "$FAKE/objects/\${!##*.com/}" ;;
  */latest/meta-data/*) [[ "$*" == *'X-aws-ec2-metadata-token: the-token'* ]] && cat "$FAKE/metadata/\${!###*/meta-data/}" ;;
  *) exit 22 ;;
esac`;

const aws = `
echo "$*" >>"$FAKE/aws-calls"
[[ "$1 $2" != 's3 cp' ]] || { [[ "\${!#}" == - ]] && exec cat "$FAKE/objects/$(sed 's|.*s3://\\(.*\\) -|\\1|' <<<"$*")"; }
while [[ $1 != --name ]]; do shift; done
cat "$FAKE/parameters$2" 2>/dev/null && exit
echo 'An error occurred (ParameterNotFound) when calling the GetParameter operation' >&2
exit 254`;

/** Time passes when a process sleeps; a process that sleeps for ever is ended. */
const sleep = `
count=$(($(cat "$FAKE/sleeps") + 1))
echo "$count" >"$FAKE/sleeps"
[[ ! -e $FAKE/on-sleep-$count ]] || source "$FAKE/on-sleep-$count"
((count < PATIENCE)) || kill "$PPID"`;

const etcd = `
[[ $1 != --version ]] || { echo "etcd Version: $(cat "$FAKE/etcd-version")"; exit; }
printf '%s\\n' "$@" >"$FAKE/etcd-flags"`;

const dig = 'echo "$*" >>"$FAKE/dig-calls"; cat "$FAKE/txt" 2>/dev/null || true';

export interface Boot {
  /** The flags of etcd; undefined if it was not started. */
  readonly flags: readonly string[] | undefined;
  readonly log: string;
  readonly sleeps: number;
}

/** An instance with programs that only play theirs, and the user data that `drover user-data etcd` prints. */
export function createInstance(flags = '') {
  const root = mkdtempSync(join(tmpdir(), 'drover-user-data-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const at = (path: string): string => join(root, path);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  const read = (path: string): string | undefined =>
    existsSync(at(path)) ? readFileSync(at(path), 'utf8') : undefined;
  for (const [name, body] of Object.entries({ curl, aws, sleep, etcd, dig })) {
    write(`bin/${name}`, `#!/bin/bash\n${body.trim()}\n`);
    chmodSync(at(`bin/${name}`), 0o755);
  }
  write('metadata/instance-id', instanceId);
  write('metadata/placement/region', 'eu-west-1');
  write('etcd-version', '3.6.16');

  const boot = async (patience = 4): Promise<Boot> => {
    write('script', await scriptOf(flags, at));
    write('sleeps', '0');
    rmSync(at('etcd-flags'), { force: true });
    const { stderr } = spawnSync('bash', [at('script')], {
      encoding: 'utf8',
      env: { PATH: `${at('bin')}:/usr/bin:/bin`, FAKE: root, PATIENCE: String(patience) },
    });
    return {
      flags: read('etcd-flags')?.trim().split('\n'),
      log: stderr.replaceAll(root, ''),
      sleeps: Number(read('sleeps')),
    };
  };
  const onSleep = (count: number, commands: string): void => write(`on-sleep-${count}`, commands);
  const publish = (name: string, text: string): void => write(`parameters${name}`, text);
  return { at, boot, onSleep, publish, read, write };
}

/** The script in the user data, with the folders of the machine moved into the instance's own. */
async function scriptOf(flags: string, at: (path: string) => string): Promise<string> {
  const text = await userData(`--etcd ${at('bin/etcd')}${flags}`);
  const [, script = ''] = /<<'DROVER'\n([\s\S]*?)DROVER\n/.exec(text) ?? [];
  return script.replaceAll('/var/lib', at('var/lib'));
}

export async function userData(flags = ''): Promise<string> {
  const { exitCode, stdout, stderr } = await drover(`--cluster prod --domain ${domain} ${flags}`);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout;
}

export const drover = (flags: string) =>
  runDrover(`user-data etcd ${flags}`.trim(), {
    environment: {},
    clock: { now: () => 0, after: () => ({ cancel: () => undefined }) },
    pause: () => Promise.reject(new Error('nothing waits here')),
    sendHttp: () => Promise.reject(new Error('no network here')),
  });
