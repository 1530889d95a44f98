import { leavingFormats } from '../../shared/passes/leaving-message.ts';
import type { LeavingNotice } from '../../shared/passes/leaving-notice.ts';
import { type MessageReading, readMessage } from '../../shared/passes/message-format.ts';

/** Reads a message about one leaving node, as the queue of leaving nodes has them. */
export const readLeavingMessage = (body: string): MessageReading<LeavingNotice> =>
  readMessage(body, leavingFormats);
