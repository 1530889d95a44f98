import { leavingFormats, type MessageReading, readMessage } from '../../shared/passes/messages.ts';
import type { LeavingNotice } from '../../shared/passes/notice.ts';

/** Reads a message about one leaving node, as the queue of leaving nodes has them. */
export const readLeavingMessage = (body: string): MessageReading<LeavingNotice> =>
  readMessage(body, leavingFormats);
