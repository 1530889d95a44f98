import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { CliContext } from '../../context.ts';
import { durationSeconds, wholeNumber } from '../../durations.ts';
import { exitCodesHelp, failedOrRefused } from '../../exit-codes.ts';
import { s3Address } from '../../pki/s3-address.ts';
import type { NodeFlags } from './flags.ts';
import { type FlavourName, flavourNames, launchTemplateFormats } from './names.ts';

const help = `
The credential is read when an instance boots, and is never part of the user data. Options that a flavour does not support are refused with the reason.
docs/user-data.md has a table of the flavours.

Examples:
  drover user-data script --cluster prod --service-cidr 10.96.0.0/12
  drover user-data kubeadm --cluster prod --kubernetes-version 1.34.4 --label example.com/team=web
  drover user-data eks-al2023 --cluster prod --endpoint https://ID.eks.amazonaws.com --certificate-authority ca.crt --service-cidr 10.100.0.0/16
  drover user-data script --cluster prod --service-cidr 10.96.0.0/12 --launch-template terraform
  drover user-data script --cluster prod --service-cidr 10.96.0.0/12 --new-version-of workers --dry-run
${exitCodesHelp(failedOrRefused)}`;

/** `drover user-data FLAVOUR`: what a launch template of nodes holds. */
export function registerNodeUserData(program: Command, context: CliContext): Command {
  const command = program
    .command('user-data')
    .enablePositionalOptions()
    .description('print the user data of machines, for launch templates')
    .addArgument(new Argument('<flavour>', 'how the machine becomes a node').choices(flavourNames))
    .option('--cluster <name>', 'the cluster; overrides $DROVER_CLUSTER')
    .option('--region <region>', 'the AWS region; overrides $AWS_REGION');
  for (const add of [addCredential, addNode, addCluster, addControlPlane, addOpenShift, addOutput])
    add(command);
  command.addHelpText('after', help);
  command.hook('preSubcommand', refuseMisplacedFlags);
  return command.action(async (flavour: FlavourName, flags: NodeFlags) => {
    const { printNodeUserData } = await import('./print.ts');
    await printNodeUserData(flavour, flags, context);
  });
}

/** The subcommand would not see them. */
function refuseMisplacedFlags(command: Command, subcommand: Command): void {
  for (const option of command.options)
    if (command.getOptionValueSource(option.attributeName()) === 'cli')
      subcommand.error(`error: give ${option.long} after ${subcommand.name()}`);
}

const addCredential = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--credential <kind>',
        'how the node authenticates: with a parameter in SSM, or only with IAM (default: what is usual for the flavour)',
      ).choices(['ssm', 'iam']),
    )
    .option('--parameter <name>', 'the parameter; overrides $DROVER_BOOTSTRAP_PARAMETER')
    .option('--no-check', 'do not look whether Parameter Store has the parameters')
    .addOption(
      new Option(
        '--fetch-timeout <duration>',
        'how long a boot asks for a parameter; left out: 15m',
      ).argParser(durationSeconds),
    )
    .addOption(
      new Option(
        '--spread <duration>',
        'boots ask at random moments within this time; left out: 10s',
      ).argParser(durationSeconds),
    );

const addNode = (command: Command): Command =>
  command
    .option('--label <key=value>', 'a label of the Node; may be given several times', collect)
    .option('--taint <key=value:effect>', 'a taint of the Node; may be given several times', collect)
    .option(
      '--kubelet-flag <name=value>',
      'one more flag of the kubelet; may be given several times',
      collect,
    )
    .option('--max-pods <number>', 'how many pods the node takes', wholeNumber)
    .option(
      '--instance-type <types>',
      'as many pods as the VPC CNI has addresses on the smallest of these',
      list,
    )
    .option('--prefix-delegation', 'of --instance-type: the VPC CNI gives pods addresses of prefixes')
    .addOption(
      new Option('--node-name <source>', 'the private DNS name of the instance, or its id')
        .choices(['dns', 'instance-id'])
        .default('dns'),
    )
    .option('--kubelet <path>', 'the program on the image');

const addCluster = (command: Command): Command =>
  command
    .option('--kubernetes-version <version>', 'such as 1.34.4')
    .option('--endpoint <url>', 'the API server')
    .option(
      '--certificate-authority <file>',
      'the certificate authority of the cluster: PEM, or base64 as EKS returns it',
    )
    .option('--service-cidr <cidr>', 'the addresses of services; the tenth is the cluster’s DNS')
    .option('--pod-cidr <cidr>', 'the addresses of pods')
    .option(
      '--vpc-cidr <cidr>',
      'addresses of the VPC, which may not overlap the others; may be given several times',
      collect,
    )
    .option(
      '--cluster-dns <address>',
      'overrides the tenth address of services; may be given several times, in the order in which pods ask them',
      addresses,
    );

const addControlPlane = (command: Command): Command =>
  command
    .addOption(
      new Option('--role <role>', 'of kubeadm, flatcar and fedora-coreos')
        .choices(['worker', 'control-plane'])
        .default('worker'),
    )
    .option('--init', 'of a control plane: initialize the cluster; only for the first instance')
    .option('--etcd-endpoint <url>', 'of --init: a member of etcd; may be given several times', collect)
    .addOption(
      new Option(
        '--etcd <where>',
        'of a control plane: etcd on the same instances; each one runs kubeadm init, so give no --init',
      ).choices(['beside']),
    )
    .option('--etcd-domain <domain>', 'of --etcd beside: the discovery domain')
    .option('--parameter-prefix <prefix>', 'where the certificates are (default: /drover/CLUSTER/pki)')
    .option('--s3 <address>', 's3://BUCKET/PREFIX: the certificates are there', s3Address);

const addOpenShift = (command: Command): Command =>
  command
    .option('--node-config <name>', 'OpenShift: the node group (default: node-config-compute)')
    .addOption(
      new Option('--node-service <service>', 'OpenShift: the unit (default: that of OKD)').choices([
        'origin-node',
        'atomic-openshift-node',
      ]),
    )
    .option('--registry-parameter <name>', 'of OpenShift: the parameter with the registry credential');

const addOutput = (command: Command): Command =>
  command
    .option('--gzip', 'compress; prints base64')
    .addOption(
      new Option(
        '--launch-template [format]',
        'print a launch template as JSON: for the AWS CLI, or a resource of CloudFormation or Terraform',
      ).choices(launchTemplateFormats),
    )
    .option('--new-version-of <template>', 'make a version of this launch template, by name or id')
    .option('--dry-run', 'of --new-version-of: say what would change, and change nothing')
    .option('--json', 'of --new-version-of: print JSON');

const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Separated by commas as in the kubelet's flag, or given several times. */
const addresses = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text.split(',').map((one) => one.trim()),
];

function list(text: string): readonly string[] {
  const types = text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  if (types.length > 0 && types.every((type) => /^[a-z0-9-]+\.[a-z0-9-]+$/.test(type))) return types;
  throw new InvalidArgumentError('write instance types with commas between, such as m5.large,m6i.large');
}
