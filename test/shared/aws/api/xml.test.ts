import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseXml, type XmlElement, XmlError } from '../../../../shared/aws/api/xml.ts';

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

  it.each(['', 'no XML', '<a>', '<a></b>', '</a>', '<a/><b/>', '<a', '<a><b></a></b>', '<!DOCTYPE a><a/>'])(
    'is refused where it is not one whole document: %j',
    (source) => {
      expect(() => parseXml(source)).toThrow(XmlError);
    },
  );

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
});
