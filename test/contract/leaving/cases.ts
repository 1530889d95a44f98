import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import type { World } from '../worlds/world.ts';
import { deadlineCases } from './deadline.ts';
import { kindsCases } from './kinds.ts';
import { machineCases } from './machines.ts';
import { movingCases } from './moving.ts';
import { noticeCases } from './notices.ts';
import { volumeCases } from './volumes.ts';

/** Cases that may be at work side by side. */
export const leavingCases: Cases<World> = {
  ...movingCases,
  ...deadlineCases,
  ...kindsCases,
  ...machineCases,
  ...noticeCases,
  ...volumeCases,
};
