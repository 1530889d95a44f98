import {
  type ClusterSearch,
  type ClustersState,
  clustersSentence,
  matchesCluster,
} from '../../state/clusters.ts';
import { age, counted, dateTime } from '../../state/words.ts';
import { Unknown } from '../panels/unknown.tsx';
import { ClusterList } from './list.tsx';
import { ClusterProblems } from './problems.tsx';

interface ClustersPageProps {
  readonly state: ClustersState;
  readonly oldSince: number | undefined;
  readonly search: ClusterSearch;
  readonly setSearch: (search: ClusterSearch) => void;
}

/** All clusters of the account and region, with one list of problems. */
export function ClustersPage({ state, oldSince, search, setSearch }: ClustersPageProps) {
  const { clusters, problems, unknown, now, readAt = now } = state;
  const { tone, text } = clustersSentence(state);
  const shown = clusters.filter((one) => matchesCluster(one, search));
  const isSearching = shown.length < clusters.length;
  const pages = new Set(shown.map(({ stage }) => stage));
  return (
    <>
      <section
        class="headline"
        data-tone={(oldSince !== undefined || unknown.length > 0) && tone === 'good' ? 'warn' : tone}
        aria-label="At a glance"
      >
        <p class="sentence">
          {oldSince !== undefined && `As of ${dateTime(oldSince)}: `}
          {text}.
        </p>
        {clusters.length > 0 && (
          <p class="quiet figures">{`Read ${age(now - readAt)} ago · read again every minute`}</p>
        )}
        <Unknown unknown={unknown} />
      </section>
      <section class="groups" aria-labelledby="clusters">
        <div class="groups-head">
          <h2 id="clusters" tabIndex={-1}>
            {counted(clusters.length, 'cluster')}
          </h2>
          <form class="search" role="search" onSubmit={(event) => event.preventDefault()}>
            <label>
              <span>Find</span>
              <input
                type="search"
                placeholder="cluster, stage"
                value={search.words}
                onInput={({ currentTarget }) => setSearch({ ...search, words: currentTarget.value })}
              />
            </label>
            <label>
              <input
                type="checkbox"
                checked={search.onlyUnhealthy}
                onChange={({ currentTarget }) =>
                  setSearch({ ...search, onlyUnhealthy: currentTarget.checked })
                }
              />
              <span>Only those that are not healthy</span>
            </label>
            <p role="status">{isSearching && `${shown.length} of ${counted(clusters.length, 'cluster')}`}</p>
          </form>
        </div>
        <ClusterList clusters={shown} now={now} />
      </section>
      <ClusterProblems problems={problems.filter(({ stage }) => pages.has(stage))} now={now} />
    </>
  );
}
