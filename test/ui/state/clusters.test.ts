import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ClusterRow,
  clusterQueryOf,
  clusterSearchIn,
  clustersOldSince,
  clustersSentence,
  healthOf,
  isLate,
  matchesCluster,
} from '../../../ui/state/clusters.ts';
import { now } from '../states.ts';

const row = (state: ClusterRow['state'], clusterName = 'prod'): ClusterRow => ({
  stage: 'live',
  clusterName,
  page: 'prod@live/',
  state,
  counts: null,
  reasons: [],
});

describe('the list of clusters in a sentence', () => {
  it.each([
    [['ok', 'ok'], 'good', 'All 2 clusters are healthy'],
    [['ok'], 'good', 'The only cluster is healthy'],
    [['ok', 'unknown'], 'warn', '1 cluster could not be read completely, 1 is healthy'],
    [
      ['problems', 'unknown', 'ok', 'ok'],
      'bad',
      '1 cluster has problems, 1 cluster could not be read completely, 2 are healthy',
    ],
    [[], 'warn', 'No deployment of Drover is known'],
  ] as const)('of %j', (states, tone, text) => {
    expect(clustersSentence({ clusters: states.map((state) => row(state)), unknown: [] })).toEqual({
      tone,
      text,
    });
  });

  it('is not good if the deployments could not be listed', () => {
    const unknown = [{ what: 'the clusters', reason: 'denied' }];
    expect(clustersSentence({ clusters: [], unknown })).toEqual({
      tone: 'warn',
      text: 'The clusters could not be read',
    });
  });

  it('is good only if every cluster was read and is healthy', () => {
    const state = fc.constantFrom<ClusterRow['state']>('ok', 'problems', 'unknown');
    fc.assert(
      fc.property(fc.array(state), (states) => {
        const { tone } = clustersSentence({ clusters: states.map((one) => row(one)), unknown: [] });
        expect(tone === 'good').toBe(states.length > 0 && states.every((one) => one === 'ok'));
      }),
    );
  });
});

it('what could not be read is neither healthy nor late', () => {
  expect(healthOf(row('unknown'))).toBe('Unknown');
  expect(isLate(row('unknown'), now)).toBe(false);
});

it.each([
  [now - 300_000, false],
  [now - 901_000, true],
  [null, true],
])('a last pass at %s is late: %s', (sweptAt, late) => {
  expect(isLate({ sweptAt }, now)).toBe(late);
});

it.each([
  [now - 90_000, true, undefined],
  [now - 181_000, true, now - 181_000],
  [now - 1000, false, now - 1000],
  [now + 5000, true, now + 5000],
])('a list that was read at %i, live %s, is old since %s', (readAt, isLive, since) => {
  expect(clustersOldSince({ now, readAt }, isLive)).toBe(since);
});

describe('the search in the list', () => {
  it('finds a part of the name or the stage, in any case, and only those that are not healthy', () => {
    const find = (words: string, onlyUnhealthy = false) =>
      [row('ok', 'Shop-Prod'), row('unknown', 'shop-test')]
        .filter((one) => matchesCluster(one, { words, onlyUnhealthy }))
        .map(({ clusterName }) => clusterName);
    expect(find('shop')).toEqual(['Shop-Prod', 'shop-test']);
    expect(find('PROD ')).toEqual(['Shop-Prod']);
    expect(find('live')).toHaveLength(2);
    expect(find('', true)).toEqual(['shop-test']);
  });

  it('is kept in the address, whatever it is, when the page is loaded again', () => {
    const search = fc.record({ words: fc.string({ unit: 'grapheme' }), onlyUnhealthy: fc.boolean() });
    fc.assert(
      fc.property(search, (one) => {
        expect(clusterSearchIn(clusterQueryOf(one))).toEqual(one);
      }),
    );
    expect(clusterQueryOf({ words: '', onlyUnhealthy: false })).toBe('');
  });
});
