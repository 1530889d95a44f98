import { Option } from 'commander';
import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import { optionalFeatures, parts } from './parts.ts';
import { policyChoices } from './policies.ts';
import type { RbacFlags } from './rbac.ts';

const help = `
Prints manifests and changes nothing. Without --features and --without it reads from the rules of the deployment whether bootstrap,
certificates, podHolds and rolls are on. A comment at each rule names what needs it. With bootstrap it also prints the admission policy that bounds
which Secrets Drover may write (Kubernetes 1.30 or later). The rules do not show three parameters of the deployment:
  identityConfigMap   if it is not off, name all features: --features bootstrap certificates identity
  bootstrapGroups     if you have set it, give the same groups: --bootstrap-groups GROUPS; else the policy refuses Drover's tokens
  bootstrapRoles      needs no flag: the manifests are for tokens of workers and of control planes
It never prints a binding that makes kube-controller-manager approve certificates by itself: drover doctor names the bindings that do.

Examples:
  drover rbac --cluster prod | kubectl apply -f -
  drover rbac --features none --no-service-account            EKS, with no feature that needs more
  drover rbac --features bootstrap certificates --admission all
  drover rbac --features certificates identity --openshift-3.11 | oc apply -f -
  drover rbac --cluster prod --bootstrap-groups system:bootstrappers:drover:worker,system:bootstrappers:kubeadm:default-node-token
${exitCodesHelp()}`;

/** `drover rbac`: what a cluster needs once. */
export const registerRbac: RegisterCommand = (program, context) => {
  withAutoScalingFlags(program.command('rbac'))
    .description('print the RBAC manifests for the features that are on, which a cluster needs once')
    .option('--stage <stage>', 'the stage of the deployment, where several may serve the cluster')
    .addOption(
      new Option('--features <feature...>', 'these optional features and no others; nothing is read').choices(
        [...optionalFeatures, 'none'],
      ),
    )
    .addOption(
      new Option('--without <part...>', 'all but these parts; nothing is read')
        .choices(Object.keys(parts))
        .conflicts('features'),
    )
    .option('--no-service-account', 'leave out the ServiceAccount drover, which IAM and certificates replace')
    .addOption(
      new Option('--admission <policies>', 'the admission policies: those that rights need, all, or none')
        .choices([...policyChoices])
        .default('needed'),
    )
    .option(
      '--bootstrap-groups <groups>',
      'the parameter bootstrapGroups of the deployment, which the admission policy lets through',
    )
    .addOption(
      new Option(
        '--openshift-3.11',
        'for Kubernetes 1.11: approvals by update, no signers, no admission policies, no bootstrap',
      ).conflicts(['admission', 'bootstrapGroups']),
    )
    .addHelpText('after', help)
    .action(async (flags: RbacFlags) => {
      const { printRbac } = await import('./rbac.ts');
      await printRbac(flags, context);
    });
};
