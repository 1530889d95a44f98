import type { Machine } from '../../cli/context.ts';
import { runCli } from '../../cli/program.ts';
import {
  createRotationSandbox,
  kubeconfigParameter,
  server,
} from '../support/credentials/rotation-sandbox.ts';

/** The command line on a machine with AWS credentials, against the simulated Parameter Store and cluster. */
export function createCredentialsBench(
  command: string,
  environment: Readonly<Record<string, string>> = {},
  machine: Partial<Machine> = {},
) {
  const sandbox = createRotationSandbox({
    DROVER_CLUSTER: undefined,
    DROVER_BOOTSTRAP_PARAMETER: undefined,
    ...environment,
  });
  const printed = { stdout: '', stderr: '' };
  const output = (name: keyof typeof printed) => ({
    isTerminal: false,
    write: (text: string) => {
      printed[name] += text;
    },
  });
  const context: Machine = {
    environment: sandbox.host.environment,
    homeDirectory: '/home/someone',
    clock: sandbox.clock,
    pause: () => Promise.reject(new Error('nothing waits here')),
    stdout: output('stdout'),
    stderr: output('stderr'),
    readFile: () => {
      const kubeconfig = sandbox.ssm.controls.value(kubeconfigParameter) ?? '';
      return Promise.resolve(kubeconfig.replace(server, 'https://127.0.0.1:6443'));
    },
    runProgram: () => Promise.reject(new Error('no program is needed')),
    sendHttp: sandbox.kubernetes.sendHttp,
    ...(sandbox.host.awsRequestHandler && { awsRequestHandler: sandbox.host.awsRequestHandler }),
    ...machine,
  };
  const run = async (...args: string[]) => {
    printed.stdout = '';
    printed.stderr = '';
    const exitCode = await runCli([...command.split(' ').filter(Boolean), ...args], context);
    return { exitCode, ...printed };
  };
  return { ...sandbox, run };
}
