import type { LeavingNotice } from '../../shared/passes/leaving-notice.ts';

export const [firstInstance, secondInstance, thirdInstance] = [
  'i-0a1b2c3d4e5f60718',
  'i-0f9e8d7c6b5a41302',
  'i-0123456789abcdef0',
] as const;

const noticedAt = '2026-01-01T00:00:00.000Z';

export const terminatingNotice = (instanceId: string, lifecycleActionToken = 'token-1'): LeavingNotice => ({
  cause: 'terminating',
  instanceId,
  noticedAt,
  hook: { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving', lifecycleActionToken },
});

export const spotNotice = (instanceId: string, deadline: string): LeavingNotice => ({
  cause: 'spot-interruption',
  instanceId,
  noticedAt,
  deadline,
});

export const sweptNotice = (instanceId: string, sweptAt: string): LeavingNotice => ({
  cause: 'swept',
  instanceId,
  noticedAt: sweptAt,
});
