import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readShape } from '../../../../shared/aws/api/shape.ts';
import { parseXml, type XmlElement, XmlError, xmlReader } from '../../../../shared/aws/api/xml.ts';

const names = fc.constantFrom('Instances', 'member', 'item', 'ns:Id', 'a.b-c_1');
const texts = fc.string({ unit: 'grapheme' }).filter((text) => !/\p{Cc}/u.test(text));
const { element } = fc.letrec<{ element: XmlElement }>((tie) => ({
  element: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ name: names, text: texts, children: fc.constant([]) }),
    fc.record({
      name: names,
      text: fc.constant(''),
      children: fc.array(tie('element'), { minLength: 1, maxLength: 4 }),
    }),
  ),
}));

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#x${character.codePointAt(0)?.toString(16)};`);

const write = ({ name, text, children }: XmlElement): string =>
  text === '' && children.length === 0
    ? `<${name}/>`
    : `<${name} xmlns="urn:x">${escape(text)}${children.map(write).join('')}</${name}>`;

describe('XML', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(element, (tree) => {
        expect(parseXml(`<?xml version="1.0" encoding="UTF-8"?>\n${write(tree)}\n`)).toEqual(tree);
      }),
    );
  });

  it('may hold comments, sections and every entity that XML itself has', () => {
    const { text } = parseXml(
      '<a><!-- <b> -->&lt;&gt;&amp;&quot;&apos;&#65;&#x42;<![CDATA[<&amp;>]]>&unknown;</a>',
    );
    expect(text).toBe('<>&"\'AB<&amp;>&unknown;');
  });

  it.each([
    '',
    'no XML',
    '<a>',
    '<a></b>',
    '</a>',
    '<a/><b/>',
    '<a',
    '<a><b></a></b>',
    '<!DOCTYPE a><a/>',
    '<a>&#x110000;</a>',
    '<a></a?',
  ])('is refused where it is not one whole document: %j', (source) => {
    expect(() => parseXml(source)).toThrow(XmlError);
  });

  it('never takes longer than its length allows, or throws anything but an XmlError', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'<>/!-[]&;#x"a \n?'.split('')), maxLength: 300 });
    fc.assert(
      fc.property(noise, (source) => {
        try {
          parseXml(source);
        } catch (error) {
          expect(error).toBeInstanceOf(XmlError);
        }
      }),
    );
  });

  it('holds no document for the sake of an id that was read from it', () => {
    const megabyte = `<padding>${'x'.repeat(1_000_000)}</padding>`;
    const readId = (number: number): string | undefined =>
      readShape(
        { id: 'string' },
        parseXml(`<a>${megabyte}<id>i-0000000000000${1000 + number}</id></a>`),
        xmlReader,
      )?.id;
    const before = heldMegabytes();
    const ids = Array.from({ length: 50 }, (_, number) => readId(number));
    expect(heldMegabytes() - before).toBeLessThan(10);
    expect(ids.at(-1)).toBe('i-00000000000001049');
  });
});

/** Of memory that is still in use once all else is collected. */
function heldMegabytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return getHeapStatistics().used_heap_size / 1_000_000;
}
