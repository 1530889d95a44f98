import { leavingFormats, type MessageReading, readMessage } from '../../shared/lifecycle/messages.ts';
import type { LeavingNotice } from '../../shared/lifecycle/notice.ts';

/** Reads a message about one leaving node, as the queue of leaving nodes has them. */
export const readLeavingMessage = (body: string): MessageReading<LeavingNotice> =>
  readMessage(body, leavingFormats);
