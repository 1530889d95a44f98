import { decideBorn } from './decide-born.ts';
import { decideFirstSet } from './decide-first-set.ts';
import { decideForming } from './decide-forming.ts';
import { decidePublished } from './decide-published.ts';
import { type EtcdDecision, type EtcdTerms, standStill } from './decision.ts';
import { findZoneMark } from './mark.ts';
import type { EtcdSight } from './sight.ts';

/** What is to be done about a zone. Pure: the same sight, the same decision. */
export function decideEtcd(sight: EtcdSight, terms: EtcdTerms): EtcdDecision {
  const mark = findZoneMark(sight.zone.records, terms.naming);
  // Whose mark is foreign is told by the plan of the records, which comes before everything else.
  if (mark === 'foreign' || (mark && mark.clusterName !== terms.clusterName))
    return standStill(sight, foreignMark);
  if (!mark) return decideFirstSet(sight, terms);
  const { birth } = mark;
  if (terms.mode === 'dns-only') return decidePublished(sight, terms, birth);
  switch (birth.kind) {
    case 'forming':
      return decideForming(sight, terms, birth.set);
    case 'born':
      return decideBorn(sight, terms, birth.clusterId);
    case 'published':
      return standStill(sight, publishedMark);
  }
}

const foreignMark = 'the domain is marked as that of somebody else: see drover etcd plan';
const publishedMark =
  'the first members were published without asking etcd: say which cluster they formed with drover etcd adopt --cluster-id';
