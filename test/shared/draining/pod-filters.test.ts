import { describe, expect, it } from 'vitest';
import { parseLabelSelector } from '../../../shared/draining/parse-label-selector.ts';
import {
  automatedDefaults,
  type DrainOptions,
  filterPod,
  kubectlDefaults,
} from '../../../shared/draining/pod-filters.ts';
import type { DaemonSetLookup } from '../../../shared/nodes/cluster.ts';
import { controller, emptyDir, type PodParts, pod } from '../../support/pods.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

interface Row {
  readonly why: string;
  readonly pod: PodParts;
  readonly options?: Partial<DrainOptions>;
  readonly daemonSet?: DaemonSetLookup;
  readonly verdict: string;
  readonly reason?: RegExp;
}

const agent = controller('DaemonSet', 'agent');
const forbidden: DaemonSetLookup = { unknown: '403 Forbidden' };

const judge = (row: Pick<Row, 'pod' | 'options' | 'daemonSet'>, defaults = kubectlDefaults) =>
  filterPod(pod(row.pod), {
    now,
    options: { ...defaults, ...row.options },
    daemonSets: new Map(row.daemonSet ? [['shop/agent', row.daemonSet]] : []),
  });

const rows: readonly Row[] = [
  { why: 'an ordinary pod', pod: {}, verdict: 'evict', reason: /ReplicaSet web/ },
  { why: 'any pod without eviction', pod: {}, options: { disableEviction: true }, verdict: 'delete' },
  {
    why: 'a pod that the selector leaves out',
    pod: { labels: { app: 'db' } },
    options: { podSelector: parseLabelSelector('app=web') },
    verdict: 'skip',
    reason: /selector/,
  },
  {
    why: 'a pod that the selector takes',
    pod: { labels: { app: 'web' } },
    options: { podSelector: parseLabelSelector('app=web') },
    verdict: 'evict',
  },
  {
    why: 'a pod 60.3 s past its end with a limit of 60',
    pod: { terminatesAt: now - 60_300 },
    options: { skipWaitForDeleteTimeoutSeconds: 60 },
    verdict: 'evict',
  },
  {
    why: 'a pod 61.3 s past its end with a limit of 60',
    pod: { terminatesAt: now - 61_300 },
    options: { skipWaitForDeleteTimeoutSeconds: 60 },
    verdict: 'skip',
    reason: /60 s/,
  },
  { why: 'a pod hours past its end without a limit', pod: { terminatesAt: now - 9e6 }, verdict: 'evict' },
  { why: 'a DaemonSet pod', pod: { owner: agent }, daemonSet: 'found', verdict: 'refuse', reason: /agent/ },
  {
    why: 'a DaemonSet pod when those are ignored',
    pod: { owner: agent },
    options: { ignoreDaemonSets: true },
    daemonSet: 'found',
    verdict: 'skip',
  },
  {
    why: 'an orphan of a DaemonSet even when those are ignored',
    pod: { owner: agent },
    options: { ignoreDaemonSets: true },
    daemonSet: 'gone',
    verdict: 'refuse',
    reason: /no longer exists.*force/,
  },
  {
    why: 'an orphan of a DaemonSet with force',
    pod: { owner: agent },
    options: { force: true },
    daemonSet: 'gone',
    verdict: 'evict',
    reason: /no longer exists/,
  },
  {
    why: 'a pod whose DaemonSet may not be read, even with force',
    pod: { owner: agent },
    options: { force: true, ignoreDaemonSets: true },
    daemonSet: forbidden,
    verdict: 'refuse',
    reason: /403/,
  },
  {
    why: 'a pod whose DaemonSet was not looked up',
    pod: { owner: agent },
    options: { force: true, ignoreDaemonSets: true },
    verdict: 'refuse',
    reason: /not looked up/,
  },
  {
    why: 'a finished DaemonSet pod',
    pod: { owner: agent, phase: 'Failed' },
    daemonSet: 'found',
    verdict: 'evict',
    reason: /Failed/,
  },
  {
    why: 'a pod of a DaemonSet of another API group',
    pod: { owner: controller('DaemonSet', 'agent', 'apps.example.com/v1') },
    daemonSet: 'found',
    verdict: 'evict',
  },
  {
    why: 'a mirror pod, even with an empty annotation',
    pod: { owner: null, annotations: { 'kubernetes.io/config.mirror': '' } },
    verdict: 'skip',
    reason: /static/,
  },
  { why: 'a pod with emptyDir', pod: { spec: emptyDir() }, verdict: 'refuse', reason: /emptyDir/ },
  {
    why: 'a pod with emptyDir whose loss is accepted',
    pod: { spec: emptyDir() },
    options: { deleteEmptyDirData: true },
    verdict: 'evict',
    reason: /lost/,
  },
  { why: 'a finished pod with emptyDir', pod: { spec: emptyDir(), phase: 'Succeeded' }, verdict: 'evict' },
  {
    why: 'a pod with hostPath',
    pod: { spec: { volumes: [{ name: 'logs', hostPath: { path: '/var/log' } }] } },
    verdict: 'evict',
  },
  { why: 'a pod without a controller', pod: { owner: null }, verdict: 'refuse', reason: /force/ },
  {
    why: 'a pod without a controller, with force',
    pod: { owner: null },
    options: { force: true },
    verdict: 'evict',
  },
  { why: 'a finished pod without a controller', pod: { owner: null, phase: 'Succeeded' }, verdict: 'evict' },
  {
    why: 'a pod with an owner that does not control it',
    pod: { owner: { ...controller('Thing', 'x'), controller: false } },
    verdict: 'refuse',
  },
];

describe('kubectl’s filters', () => {
  it.each(rows)('say $verdict to $why', (row) => {
    const judgement = judge(row);
    expect(judgement.verdict).toBe(row.verdict);
    expect(judgement.reason).toMatch(row.reason ?? /./);
  });

  it('run in kubectl’s order: a long deleted DaemonSet pod is skipped before its DaemonSet is read', () => {
    const judgement = judge({
      pod: { owner: agent, terminatesAt: now - 90_000 },
      options: { skipWaitForDeleteTimeoutSeconds: 60 },
      daemonSet: forbidden,
    });
    expect(judgement).toMatchObject({ verdict: 'skip', reason: expect.stringContaining('60 s') });
  });

  it('keep every warning, not only the last', () => {
    const judgement = judge({ pod: { owner: null, spec: emptyDir() } }, automatedDefaults);
    expect(judgement).toEqual({
      verdict: 'evict',
      reason: 'its emptyDir data is lost; no controller recreates it',
    });
  });

  it('allow an automated drain to evict everything but DaemonSet and static pods', () => {
    expect(judge({ pod: { owner: agent }, daemonSet: 'found' }, automatedDefaults).verdict).toBe('skip');
    expect(judge({ pod: { owner: null } }, automatedDefaults).verdict).toBe('evict');
  });
});
