// The types of what this product uses of Lean QR. The package has its own, but only for its own name.
type Mode = object;
interface Bitmap {
  size: number;
  get(x: number, y: number): boolean;
}
export const mode: { ascii: Mode };
export function generate(data: string, options: { modes: Mode[] }): Bitmap;
