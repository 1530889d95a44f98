/** Time and chance of a simulation. */

export type { Clock, SimulationClock, Timer } from './clock.ts';
export { createRandom, type Random } from './random.ts';
export { createRealClock, type RealClock } from './real-clock.ts';
export { createTimeline, type Timeline } from './timeline.ts';
export { createVirtualClock, type VirtualClock } from './virtual-clock.ts';
