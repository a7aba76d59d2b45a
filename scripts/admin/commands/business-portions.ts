/** The service takes 32 MiB and 100,000 entries at once; a document of so many bytes has fewer. */
const MOST_BYTES = 3_000_000;
/** Of the staff in a portion, and how many they are: services and specialties are short entries. */
const [PORTION_BYTES, PORTION_STAFF] = [2_000_000, 50];

/** A part of a document that can be imported by itself. */
export interface Portion {
  body: object;
  /** Places of the first and the last of its staff in the document, counted from 1; null where it is the whole document. */
  staff: [first: number, last: number] | null;
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');

/**
 * Cuts the document of a large business into portions of its staff, to be imported one after the other: the first has all the rest
 * too, the services that staff perform say. A document of a usual size stays whole.
 */
export function* portionsOf(document: object): Generator<Portion> {
  const { staff, ...rest } = document as { staff?: unknown };
  if (!Array.isArray(staff) || bytesOf(document) <= MOST_BYTES) {
    yield { body: document, staff: null };
    return;
  }
  let head: object = rest;
  for (let first = 0; first < staff.length; ) {
    let bytes = bytesOf(head);
    let end = first;
    do {
      bytes += bytesOf(staff[end]);
      end += 1;
    } while (
      end < staff.length &&
      end - first < PORTION_STAFF &&
      bytes + bytesOf(staff[end]) <= PORTION_BYTES
    );
    yield { body: { ...head, staff: staff.slice(first, end) }, staff: [first + 1, end] };
    head = {};
    first = end;
  }
}
