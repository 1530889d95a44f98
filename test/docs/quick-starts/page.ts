import { readFileSync } from 'node:fs';

/** What a user puts in place of the words of a page. */
export interface Values {
  readonly region: string;
  readonly clusterName: string;
  readonly group: string;
  readonly bucket: string;
  readonly launchTemplate: string;
}

/** The shell blocks of a quick start in their order, as one script, filled in as a user does. */
export function scriptOf(name: string, values: Values): string {
  const text = readFileSync(`docs/quick-start/${name}.md`, 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  return (
    replacements(values)
      .reduce((script, [words, value]) => script.replaceAll(words, () => value), blocks.join('\n'))
      // A kubeconfig that the simulated API server knows: it has no authenticator of EKS, and an authority of its own.
      .replaceAll(/^aws ssm put-parameter .*\/kubeconfig .*$/gm, '$&\nlet-in')
  );
}

const replacements = ({ region, clusterName, group, bucket, launchTemplate }: Values) =>
  [
    [
      'AWS_REGION=eu-central-1 DROVER_CLUSTER=prod GROUP=prod-workers BUCKET=your-bucket',
      `AWS_REGION=${region} DROVER_CLUSTER=${clusterName} GROUP=${group} BUCKET=${bucket}`,
    ],
    // The first one in service: chosen from what the command before it prints.
    ['i-0123456789abcdef0', '"$(an-instance)"'],
    ['YOUR-LAUNCH-TEMPLATE', launchTemplate],
  ] as const;
