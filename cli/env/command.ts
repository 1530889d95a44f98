import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { EnvFlags } from './env.ts';
import { usualEnvironmentFile } from './environment-file.ts';

const help = `
Run it in the folder in which npm start or npm run world runs. The variables are those of the AWS CLI, kubectl and every command
of drover: addresses and keys of the simulated account, the kubeconfig, the cluster, the parameters, etcd's domain, zone and bucket.
A function makes drover this program in that shell or script.

Examples:
  eval "$(npx --no -- drover env)"                      in bash or zsh
  npx --no -- drover env | source                       in fish
  npx --no -- drover env --json | jq -r .AWS_ENDPOINT_URL
${exitCodesHelp()}`;

/** `drover env`: what a terminal needs to use the running sandbox. */
export const registerEnv: RegisterCommand = (program, context) => {
  program
    .command('env')
    .description('print the variables with which a terminal uses the running sandbox')
    .option(
      '--file <file>',
      'where the sandbox keeps them (npm start -- --environment FILE)',
      usualEnvironmentFile,
    )
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (flags: EnvFlags) => {
      const { printEnvironment } = await import('./env.ts');
      await printEnvironment(flags, context);
    });
};
