import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './button'
import styles from './menu.module.css'

interface MenuProps {
  label: string
  icon: ReactNode
  children: ReactNode
}

export function Menu({ label, icon, children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <IconButton label={label} icon={icon} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={styles.menu} align="end" sideOffset={4} collisionPadding={8}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface ItemProps {
  danger?: boolean
  onSelect: () => void
  children: ReactNode
}

function Item({ danger = false, onSelect, children }: ItemProps) {
  return (
    <DropdownMenu.Item className={styles.item} data-danger={danger || undefined} onSelect={onSelect}>
      {children}
    </DropdownMenu.Item>
  )
}

function MenuLink({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Item asChild className={styles.item}>
      {children}
    </DropdownMenu.Item>
  )
}

Menu.Item = Item
Menu.Link = MenuLink
