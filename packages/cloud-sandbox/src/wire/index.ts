/** The sandbox on real ports of the loopback address. */

export { startAwsServer } from '../aws/wire/server.ts';
export type { WireDoors, WirePorts } from './doors.ts';
export { answerHttpApi } from './http-api-door.ts';
export { type HttpDoor, openHttpDoor } from './http-door.ts';
export { openMetadataDoor } from './metadata-door.ts';
export {
  type FurnishedSandbox,
  openSandbox,
  type WireSandbox,
  type WireSandboxOptions,
} from './open-sandbox.ts';
export { openAtOrNear } from './ports.ts';
export { readBody } from './read-body.ts';
