import { readFileSync } from 'node:fs';

/** What a user puts instead of the words of a page. */
export interface Values {
  readonly region: string;
  readonly clusterName: string;
  readonly group: string;
  readonly bucket: string;
  readonly launchTemplate: string;
}

/** What a user follows: pages of `docs`, each with the starts of the headings that count; without any all of the page. */
export type Route = readonly (readonly [page: string, ...headings: readonly string[]])[];

/** The shell blocks of a route in their order, as one script, filled in as a user does. */
export function scriptOf(route: Route, values: Values): string {
  const script = route.flatMap(([page, ...headings]) => blocksOf(page, headings)).join('\n');
  return (
    replacements(values)
      .reduce((text, [words, value]) => text.replaceAll(words, () => value), script)
      .replaceAll('$(drover operator-role', '$(as-role drover operator-role')
      // What the page stores is read, and added to the simulated API server if necessary.
      .replaceAll(/^(?:aws ssm put-parameter .*\/kubeconfig .*|drover kubeconfig .*)$/gm, '$&\nlet-in')
  );
}

/** Throws where a heading has no block, so that one that was renamed is noticed. */
function blocksOf(page: string, headings: readonly string[]): readonly string[] {
  const sections = readFileSync(`docs/${page}.md`, 'utf8').split(/^##+ /m);
  return (headings.length > 0 ? headings : ['']).flatMap((heading) => {
    const text = sections.filter((section) => section.startsWith(heading)).join('\n');
    const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
    if (blocks.length === 0) throw new Error(`docs/${page}.md has no shell block below "${heading}"`);
    return blocks;
  });
}

const ownServer = "kubectl config view --minify --output 'jsonpath={.clusters[0].cluster.server}'";

const replacements = ({ region, clusterName, group, bucket, launchTemplate }: Values) =>
  [
    ['AWS_REGION=eu-central-1', `AWS_REGION=${region}`],
    ['DROVER_CLUSTER=prod', `DROVER_CLUSTER=${clusterName}`],
    ['GROUP=prod-workers', `GROUP=${group}`],
    ['BUCKET=your-bucket', `BUCKET=${bucket}`],
    // The first one in service: chosen from what the command before it prints.
    ['i-0123456789abcdef0', '"$(an-instance)"'],
    ['YOUR-LAUNCH-TEMPLATE', launchTemplate],
    ['s3://BUCKET/', `s3://${bucket}/`],
    ['--s3-bucket BUCKET', `--s3-bucket ${bucket}`],
    ['drover-VERSION', 'drover-*'],
    // The API server of these tests has an address of this machine, which the command does not store by itself.
    ['drover kubeconfig --yes', `drover kubeconfig --yes --server "$(${ownServer})"`],
    ['drover-prod', `drover-${clusterName}`],
    ['cluster=prod', `cluster=${clusterName}`],
    ['--cluster prod', `--cluster ${clusterName}`],
  ] as const;
