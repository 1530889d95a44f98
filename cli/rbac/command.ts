import { Option } from 'commander';
import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import { parts } from './parts.ts';
import type { RbacFlags } from './rbac.ts';

const help = `
Prints manifests and calls nothing. It never prints a binding that makes kube-controller-manager approve certificates by
itself: drover doctor names the bindings of the cluster that do.

Examples:
  drover rbac | kubectl apply -f -
  drover rbac --without certificates         on EKS
${exitCodesHelp()}`;

/** `drover rbac`: what a cluster needs once. */
export const registerRbac: RegisterCommand = (program, context) => {
  program
    .command('rbac')
    .description('print the RBAC manifests that a cluster needs once')
    .addOption(new Option('--without <parts...>', 'leave parts out').choices(Object.keys(parts)))
    .addHelpText('after', help)
    .action(async (flags: RbacFlags) => {
      const { printRbac } = await import('./rbac.ts');
      await printRbac(flags, context);
    });
};
