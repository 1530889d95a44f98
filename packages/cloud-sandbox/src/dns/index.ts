/** The name servers of the simulated Route 53. */

export { answerMessage } from './answer.ts';
export { type DnsDoor, openDnsDoor } from './wire/dns-door.ts';
