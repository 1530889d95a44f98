import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { clients, kubeadm, kubernetes, program } from '@drover/cloud-sandbox/real/programs.ts';
import { type Ended, runClient } from '@drover/cloud-sandbox/real/run-client.ts';

interface ShellParts {
  /** An empty folder, in which the script runs. */
  readonly folder: string;
  /** What `npm run release` wrote. */
  readonly release: string;
  /** Where services are that the sandbox does not have. */
  readonly servicesUrl: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs a script as an operator would, with the AWS CLI, kubectl, kubeadm and `drover` installed. Stops at the first command that fails. */
export function runInShell(script: string, { folder, environment, ...parts }: ShellParts): Promise<Ended> {
  const bin = join(folder, '.bin');
  mkdirSync(bin, { recursive: true });
  for (const [name, body] of Object.entries(programs(parts))) {
    writeFileSync(join(bin, name), `#!/bin/bash\n${body}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return runClient({
    command: 'bash',
    // A pipe, as in a shell: /dev/stdout cannot be opened if it is a socket of Node.
    options: ['--norc', '-euo', 'pipefail', '-c', `cd ${folder}\n{\n${script}\n} | cat`],
    environment: { ...environment, HOME: folder, PATH: `${bin}:${process.env['PATH']}` },
    timeoutSeconds: 600,
  });
}

/** There is no `oc` to be had for a test: kubectl does what it has of kubectl, and stands in for what OpenShift has added. */
const oc = `case "$*" in
  'serviceaccounts create-kubeconfig '*' -n '*)
    kubectl config view --raw --minify --flatten | sed '/^users:/,$d'
    printf 'users:\\n- name: %s\\n  user: { token: %s }\\n' "$(kubectl config view --minify -o jsonpath='{.users[0].name}')" "$(kubectl create token "$3" -n "$5")" ;;
  'whoami --kubeconfig '*) kubectl auth whoami --kubeconfig "$3" -o jsonpath='{.status.userInfo.username}{"\\n"}' ;;
  *) exec kubectl "$@" ;;
esac`;

const programs = ({ release, servicesUrl }: Pick<ShellParts, 'release' | 'servicesUrl'>) => ({
  aws: `export AWS_ENDPOINT_URL_CLOUDFORMATION=${servicesUrl} AWS_ENDPOINT_URL_EKS=${servicesUrl} AWS_ENDPOINT_URL_LAMBDA=${servicesUrl}
exec ${program(clients, 'aws')} "$@"`,
  kubectl: `exec ${program(kubernetes, 'kubectl')} "$@"`,
  oc,
  kubeadm: `exec ${program(kubeadm, 'kubeadm')} "$@"`,
  drover: `exec ${process.execPath} ${resolve('cli/drover.ts')} "$@"`,
  npm: `case "$*" in
  'ci --ignore-scripts') ;;
  'run release') mkdir -p dist/release && cp -r ${resolve(release)} dist/release/ ;;
  'install --global '*) test -f "$3" ;;
  *) exit 64 ;;
esac`,
  'as-role': 'exec env $ROLE_SESSION "$@"',
  'let-in': `curl --silent --fail --output /dev/null --request POST ${servicesUrl}/let-in`,
  'an-instance': `aws autoscaling describe-auto-scaling-groups --auto-scaling-group-names "$GROUP" \\
  --query "AutoScalingGroups[0].Instances[?LifecycleState=='InService'] | [0].InstanceId" --output text`,
});
