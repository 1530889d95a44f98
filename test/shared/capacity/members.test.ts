import { expect, it } from 'vitest';
import { phaseOf } from '../../../shared/capacity/members.ts';

it.each([
  ['Pending', 'pending'],
  ['Pending:Wait', 'pending'],
  ['Pending:Proceed', 'pending'],
  ['InService', 'in-service'],
  ['Terminating', 'terminating'],
  ['Terminating:Wait', 'terminating'],
  ['Terminating:Retained', 'terminating'],
  ['Terminated', 'terminating'],
  ['EnteringStandby', 'standby'],
  ['Standby', 'standby'],
  ['Detaching', 'other'],
  ['Warmed:Pending:Wait', 'other'],
  ['Quarantined', 'other'],
  ['ReplacingRootVolume', 'pending'],
  ['ReplacingRootVolume:Wait', 'pending'],
  ['RootVolumeReplaced', 'pending'],
  ['Warmed:ReplacingRootVolume', 'other'],
  ['RootVolumeReplacedLater', 'other'],
  ['ReplacingRootVolumes', 'other'],
  ['Warmed:Terminating:Wait', 'other'],
  ['Warmed:Terminated', 'other'],
  ['LeavingStandby', 'other'],
  ['StandbyOfAnother', 'other'],
])('reads %s as %s', (lifecycleState, phase) => {
  expect(phaseOf(lifecycleState)).toBe(phase);
});
