import type { Notification } from '../notifications/notification.ts';
import type { Decision } from './decide-all.ts';

/** What people are told of a request that is denied. Pure. */
export const refusalOf = ({ request, nodeName, verdict }: Decision): Notification => ({
  kind: 'certificate-refused',
  occurrence: request.uid,
  message: `certificate request ${request.name} of ${request.username} is refused: ${verdict.reason}`,
  facts: { ...(nodeName !== undefined && { nodeName }), reasons: [`${verdict.check}: ${verdict.reason}`] },
});
