import type { TextAnswer } from './service.ts';
import { UnreadableAnswerError } from './unreadable-answer.ts';
import { parseXml, type XmlElement, XmlError } from './xml.ts';

/**
 * The document of an answer, which AWS names after the operation: a page of a proxy may be XML as well, and would say that there is
 * nothing.
 *
 * @throws UnreadableAnswerError
 */
export function documentOf(operation: string, answer: TextAnswer): XmlElement {
  const unreadable = { operation, answer, expected: 'XML' } as const;
  try {
    const document = parseXml(answer.body);
    if (document.name === `${operation}Response`) return document;
  } catch (cause) {
    if (cause instanceof XmlError) throw new UnreadableAnswerError({ ...unreadable, cause });
    throw cause;
  }
  throw new UnreadableAnswerError(unreadable);
}
