import type { NodeFlags } from './flags.ts';
import type { NodeSettings } from './settings.ts';

interface Use {
  readonly settings: NodeSettings;
  /** The parameters that an instance reads when it boots. */
  readonly parameters: readonly string[];
}

/** Flags that are given and would do nothing here: the user expects another output than these settings give. Pure. */
export function uselessFlags(flags: NodeFlags, { settings, parameters }: Use): readonly string[] {
  const { credential, init, role } = settings;
  const readsNothing = parameters.length === 0;
  const problems: Readonly<Record<string, boolean>> = {
    '--parameter is refused: the node joins with IAM, and reads no parameter':
      flags.parameter !== undefined && credential === 'iam',
    '--parameter is refused: a cluster that is founded with --init has published no credential yet':
      flags.parameter !== undefined && init,
    '--parameter-prefix is refused: only control planes read certificates':
      flags.parameterPrefix !== undefined && role === 'worker',
    '--s3 is refused: only control planes read certificates': flags.s3 !== undefined && role === 'worker',
    'give --parameter-prefix or --s3, not both':
      flags.parameterPrefix !== undefined && flags.s3 !== undefined,
    '--init is refused with --etcd beside: every instance runs kubeadm init, so none is the first':
      flags.init === true && flags.etcd === 'beside',
    '--etcd-endpoint is refused with --etcd beside: each API server uses the member on its own instance':
      flags.etcdEndpoint !== undefined && flags.etcd === 'beside',
    '--etcd beside and --etcd-domain belong together':
      (flags.etcd === undefined) !== (flags.etcdDomain === undefined),
    '--fetch-timeout is refused: a boot reads no parameter here':
      flags.fetchTimeout !== undefined && readsNothing,
    '--spread is refused: a boot reads no parameter here': flags.spread !== undefined && readsNothing,
    '--prefix-delegation belongs to --instance-type':
      flags.prefixDelegation === true && flags.instanceType === undefined,
    'give --launch-template or --new-version-of, not both':
      flags.launchTemplate !== undefined && flags.newVersionOf !== undefined,
    'give --max-pods or --instance-type, not both':
      flags.maxPods !== undefined && flags.instanceType !== undefined,
    '--dry-run belongs to --new-version-of: printing changes nothing':
      flags.dryRun === true && flags.newVersionOf === undefined,
    '--json belongs to --new-version-of: a launch template is JSON anyway':
      flags.json === true && flags.newVersionOf === undefined,
  };
  return Object.keys(problems).filter((problem) => problems[problem]);
}
