import { decideBootstrap } from './decide-bootstrap.ts';
import { decideDnsOnly } from './decide-dns-only.ts';
import { decideExisting } from './decide-existing.ts';
import { decideForming } from './decide-forming.ts';
import { blocked, type EtcdDecision, type EtcdSettings } from './decision.ts';
import { findZoneMark } from './mark.ts';
import type { EtcdObservation } from './observation.ts';

/** Decides what to do about a zone. Pure. */
export function decideEtcd(observation: EtcdObservation, settings: EtcdSettings): EtcdDecision {
  const mark = findZoneMark(observation.zone.records, settings.naming);
  // The record plan, which comes first in a pass, reports whose the mark is.
  if (mark === 'foreign' || (mark && mark.clusterName !== settings.clusterName))
    return blocked(observation, foreignMark);
  if (!mark) return decideBootstrap(observation, settings);
  const { birth } = mark;
  if (settings.mode === 'dns-only') return decideDnsOnly(observation, settings, birth);
  switch (birth.kind) {
    case 'forming':
      return decideForming(observation, settings, birth);
    case 'born':
      return decideExisting(observation, settings, birth.clusterId);
    case 'published':
      return blocked(observation, publishedMark);
  }
}

const foreignMark = 'the domain carries a mark that is not of this cluster: see drover etcd plan';
const publishedMark =
  'the first members were published without asking etcd: name the cluster that they formed with drover etcd adopt --cluster-id';
