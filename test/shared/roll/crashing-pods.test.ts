import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { crashOnNewNode } from '../../../shared/roll/crashing-pods.ts';
import { at, daemon, pod, restarted, startedAt, waitsIn } from './group-facts.ts';

const crash = (onNew: Pod, ...onOld: readonly Pod[]): string | undefined =>
  crashOnNewNode({ onNew: [onNew], onOld, startedAt });

const sound = pod('old', { ready: -500 });
const looping = pod('new', { started: 5, container: waitsIn('CrashLoopBackOff', 2) });
const flapping = pod('new', { ready: 9, container: restarted(3, 9) });

describe('a crash on a new node', () => {
  it.each(['CrashLoopBackOff', 'ImagePullBackOff', 'ErrImageNeverPull', 'CreateContainerError'])(
    'is a pod in %s, while pods of its controller are Ready on old nodes',
    (reason) => {
      const failing = pod('new', { started: 5, container: waitsIn(reason, 0) });
      expect(crash(failing, sound)).toBe(
        `pod shop/web-new on new node new is in ${reason}, and ReplicaSet web has Ready pods on old nodes`,
      );
    },
  );

  it('is a pod that has restarted three times, even if it is Ready now', () => {
    expect(crash(flapping, sound)).toContain('has restarted 3 times');
    expect(crash(pod('new', { ready: 9, container: restarted(2, 9) }), sound)).toBeUndefined();
  });

  it('is not a pod that has not restarted again since people have resumed the roll', () => {
    const resumed = (resumedAt: number, onNew: Pod) =>
      crashOnNewNode({ onNew: [onNew], onOld: [sound], startedAt, resumedAt });
    expect(resumed(at(9.5), flapping)).toBeUndefined();
    expect(resumed(at(8.5), flapping)).toContain('has restarted 3 times');
    expect(resumed(at(9.5), looping)).toContain('is in CrashLoopBackOff');
  });

  it('is that of an init container, and of a DaemonSet', () => {
    const failing: Pod = {
      ...looping,
      status: { initContainerStatuses: looping.status?.containerStatuses ?? [] },
    };
    expect(crash(failing, sound)).toContain('CrashLoopBackOff');
    expect(
      crash(daemon('new', { container: waitsIn('CrashLoopBackOff') }), daemon('old', { ready: -500 })),
    ).toContain('DaemonSet cni');
  });

  it.each([
    ['a missing ConfigMap', pod('new', { container: waitsIn('CreateContainerConfigError') })],
    ['the first try of an image', pod('new', { container: waitsIn('ErrImagePull') })],
    ['a pod without a controller', pod('new', { of: null, container: waitsIn('CrashLoopBackOff') })],
    ['a pod that has finished', pod('new', { phase: 'Failed', container: restarted(3, 9) })],
  ])('is not %s', (_, failing) => {
    expect(crash(failing, sound, pod('old', { of: null, ready: -500 }))).toBeUndefined();
  });

  it('is not that of a controller without Ready pods on old nodes', () => {
    expect(crash(looping)).toBeUndefined();
    expect(crash(looping, pod('old', { started: -500 }))).toBeUndefined();
    expect(crash(looping, pod('old', { of: 'other', ready: -500 }))).toBeUndefined();
  });

  it('is not that of another revision, whose rollout is broken everywhere', () => {
    const of = (nodeName: string, revision: string, more: Parameters<typeof pod>[1]) =>
      pod(nodeName, { kind: 'StatefulSet', of: 'db', revision, ...more });
    const broken = of('new', 'two', { container: waitsIn('CrashLoopBackOff') });
    expect(crash(broken, of('old', 'one', { ready: -500 }))).toBeUndefined();
    expect(crash(broken, of('old', 'two', { ready: -500 }))).toContain('StatefulSet db');
  });

  it('is not one of pods that crash on old nodes too', () => {
    expect(
      crash(looping, sound, pod('old', { name: 'also', container: waitsIn('CrashLoopBackOff', 9) })),
    ).toBeUndefined();
    const since = pod('old', { name: 'also', ready: 6, started: -500, container: restarted(40, 5) });
    expect(crash(flapping, sound, since)).toBeUndefined();
  });

  it('is one although pods on old nodes have restarted before the roll', () => {
    const before = pod('old', { ready: -6, started: -500, container: restarted(40, -5) });
    expect(crash(flapping, before)).toContain('has restarted 3 times');
  });

  it('is not one of pods that restart as often when they start', () => {
    const starter = pod('old', { ready: -498, started: -500, container: restarted(3, -498) });
    expect(crash(flapping, starter)).toBeUndefined();
    expect(crash(looping, starter)).toBeUndefined();
    expect(crash(pod('new', { container: waitsIn('CrashLoopBackOff', 4) }), starter)).toContain('CrashLoop');
  });
});
