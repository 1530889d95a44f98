import { type ClusterRow, healthOf, isLate, nameOfCluster } from '../../state/clusters.ts';
import { age, counted } from '../../state/words.ts';

interface ClusterListProps {
  readonly clusters: readonly ClusterRow[];
  readonly now: number;
}

/** Thirty clusters without a right would fill many screens with their reasons. */
const mostReasons = 1;

/** A row for each deployment, with a link to the page of its cluster. */
export const ClusterList = ({ clusters, now }: ClusterListProps) => (
  <ul class="clusters">
    {clusters.map((cluster) => (
      <Row key={`${cluster.stage} ${cluster.clusterName}`} cluster={cluster} now={now} />
    ))}
  </ul>
);

function Row({ cluster, now }: { readonly cluster: ClusterRow; readonly now: number }) {
  const { page, stage, counts, reasons } = cluster;
  const name = nameOfCluster(cluster);
  const health = healthOf(cluster);
  return (
    <li class="group">
      <div class="group-head">
        <h3>{page === null ? name : <a href={page}>{name}</a>}</h3>
        <span class="health" data-health={health}>
          {health}
        </span>
        <span class="role">{`stage ${stage}`}</span>
        <div class="figures-of-group">
          {counts && (
            <>
              <span>{counted(counts.instances, 'node')}</span>
              <span>{counted(counts.groups, 'group')}</span>
              {counts.leaving > 0 && <span>{`${counts.leaving} leaving`}</span>}
              {counts.joining > 0 && <span>{`${counts.joining} joining`}</span>}
              {counts.problems > 0 && <span class="count">{counted(counts.problems, 'problem')}</span>}
            </>
          )}
          <span class="swept" data-late={isLate(cluster, now) ? '' : undefined}>
            {sweptText(cluster, now)}
          </span>
        </div>
      </div>
      {reasons.length > 0 && <Reasons reasons={reasons.slice(0, mostReasons)} />}
      {reasons.length > mostReasons && (
        <details class="reasons">
          <summary>{`and ${reasons.length - mostReasons} more`}</summary>
          <Reasons reasons={reasons.slice(mostReasons)} />
        </details>
      )}
    </li>
  );
}

const Reasons = ({ reasons }: { readonly reasons: readonly string[] }) => (
  <ul class="reasons">
    {reasons.map((reason) => (
      <li key={reason} class="lacks">
        {reason}
      </li>
    ))}
  </ul>
);

function sweptText({ sweptAt }: ClusterRow, now: number): string {
  if (sweptAt === undefined) return 'last pass unknown';
  return sweptAt === null ? 'no pass in the last hour' : `last pass ${age(now - sweptAt)} ago`;
}
