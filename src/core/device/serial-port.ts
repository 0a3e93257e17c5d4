/** A serial port of the appliance; what is not known of it is null. */
export interface SerialPortInfo {
  /** Device path, such as /dev/ttyUSB0. It may change when the cable is plugged in again. */
  readonly path: string;
  /** The lasting name below /dev/serial/by-id, best for an address. */
  readonly byId: string | null;
  /** Four hexadecimal digits. */
  readonly vendorId: string | null;
  /** Four hexadecimal digits. */
  readonly productId: string | null;
  readonly serialNumber: string | null;
  readonly manufacturer: string | null;
  readonly product: string | null;
  /** Where on the USB tree, such as 1-1.4. */
  readonly location: string | null;
}
